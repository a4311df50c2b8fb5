//! Formulas as they are written: all operators, shared subformulas.
//!
//! A formula is a table of nodes in which children stand before their parents, so every pass is
//! a loop over the table and none needs a stack, however deeply a formula is nested.

use std::collections::HashMap;

/// A proposition. What it means is known to the caller alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AtomId(pub u32);

/// A subformula: an index into the nodes of its builder or formula.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(u32);

impl Term {
    /// The place of the node in [`Formula::nodes`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Operators with one argument.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Unary {
    /// `!`
    Not,
    /// `X`: in the next state.
    Next,
    /// `[]`: now and always.
    Always,
    /// `<>`: now or later.
    Eventually,
}

/// Operators with two arguments.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Binary {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `->`
    Implies,
    /// `<->`
    Equivalent,
    /// `U`: the left holds until the right does, and the right does some day.
    Until,
    /// `W`: as `U`, but the left may also hold for ever.
    WeakUntil,
    /// `V` or `R`: the right holds up to and including the moment of the left, or for ever.
    Release,
    /// `M`: as `V`, but the left holds some day.
    StrongRelease,
}

/// One operator with its arguments.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Node {
    /// A constant.
    Constant(bool),
    /// A proposition.
    Atom(AtomId),
    /// An operator with one argument.
    Unary(Unary, Term),
    /// An operator with two arguments.
    Binary(Binary, Term, Term),
}

impl Node {
    /// The same operator with arguments from elsewhere.
    fn map(self, mut of: impl FnMut(Term) -> Term) -> Node {
        match self {
            Node::Unary(operator, argument) => Node::Unary(operator, of(argument)),
            Node::Binary(operator, left, right) => {
                let left = of(left);
                Node::Binary(operator, left, of(right))
            }
            leaf => leaf,
        }
    }
}

/// Makes formulas bottom-up; equal subformulas are made once.
#[derive(Clone, Default, Debug)]
pub struct Builder {
    nodes: Vec<Node>,
    index: HashMap<Node, Term>,
}

impl Builder {
    /// A builder without subformulas.
    pub fn new() -> Self {
        Builder::default()
    }

    /// The term of a node whose arguments came from this builder.
    pub fn add(&mut self, node: Node) -> Term {
        *self.index.entry(node).or_insert_with(|| {
            let term = Term(u32::try_from(self.nodes.len()).expect("fewer nodes than 2^32"));
            self.nodes.push(node);
            term
        })
    }

    /// A constant.
    pub fn constant(&mut self, value: bool) -> Term {
        self.add(Node::Constant(value))
    }

    /// A proposition.
    pub fn atom(&mut self, atom: AtomId) -> Term {
        self.add(Node::Atom(atom))
    }

    /// An operator with one argument.
    pub fn unary(&mut self, operator: Unary, argument: Term) -> Term {
        self.add(Node::Unary(operator, argument))
    }

    /// An operator with two arguments.
    pub fn binary(&mut self, operator: Binary, left: Term, right: Term) -> Term {
        self.add(Node::Binary(operator, left, right))
    }

    /// The formula with this root. The builder can go on.
    pub fn finish(&self, root: Term) -> Formula {
        let mut needed = vec![false; root.index() + 1];
        needed[root.index()] = true;
        for index in (0..=root.index()).rev() {
            if needed[index] {
                self.nodes[index].map(|child| {
                    needed[child.index()] = true;
                    child
                });
            }
        }
        let mut nodes = Vec::new();
        let mut places = vec![Term(0); needed.len()];
        for index in (0..needed.len()).filter(|&index| needed[index]) {
            places[index] = Term(nodes.len() as u32);
            nodes.push(self.nodes[index].map(|child| places[child.index()]));
        }
        Formula { nodes }
    }
}

/// A formula of linear temporal logic.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Formula {
    /// Children before parents; the root is the last one.
    nodes: Vec<Node>,
}

impl Formula {
    /// The nodes, children before parents.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The outermost operator.
    pub fn root(&self) -> Term {
        Term(self.nodes.len() as u32 - 1)
    }

    /// The node of a term.
    pub fn node(&self, term: Term) -> Node {
        self.nodes[term.index()]
    }

    /// One more than the largest number of an atom.
    pub fn atoms(&self) -> usize {
        let atoms = self.nodes.iter().map(|node| match node {
            Node::Atom(atom) => atom.0 as usize + 1,
            _ => 0,
        });
        atoms.max().unwrap_or(0)
    }

    /// True if `X` occurs. Without it a formula cannot count steps.
    pub fn has_next(&self) -> bool {
        let is_next = |node: &Node| matches!(node, Node::Unary(Unary::Next, _));
        self.nodes.iter().any(is_next)
    }

    /// The formula that holds where this one does not.
    pub fn negated(&self) -> Formula {
        let (mut builder, root) = self.edit();
        let negation = match self.node(root) {
            Node::Unary(Unary::Not, argument) => argument,
            _ => builder.unary(Unary::Not, root),
        };
        builder.finish(negation)
    }

    /// A builder that holds this formula, and its root there.
    pub fn edit(&self) -> (Builder, Term) {
        let mut builder = Builder::new();
        for &node in &self.nodes {
            builder.add(node);
        }
        (builder, self.root())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_formulas_are_equal_whatever_was_built_besides() {
        let mut one = Builder::new();
        let p = one.atom(AtomId(0));
        let _unused = one.atom(AtomId(9));
        let fp = one.unary(Unary::Eventually, p);
        let left = one.finish(fp);
        let mut other = Builder::new();
        let p = other.atom(AtomId(0));
        let fp = other.unary(Unary::Eventually, p);
        assert_eq!(left, other.finish(fp));
        assert_eq!(left.atoms(), 1);
        assert_eq!(left.nodes().len(), 2);
    }

    #[test]
    fn two_negations_are_none() {
        let mut builder = Builder::new();
        let p = builder.atom(AtomId(0));
        let formula = builder.finish(p);
        assert_ne!(formula.negated(), formula);
        assert_eq!(formula.negated().negated(), formula);
    }
}
