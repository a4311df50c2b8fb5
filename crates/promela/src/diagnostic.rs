//! What the front end has to say about a model: errors and warnings with a place and advice.

use crate::lint::Lint;
use crate::source::{SourceMap, Span};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The model is accepted all the same.
    Warning,
    /// The model is rejected.
    Error,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What turns a warning off, if anything does.
    pub lint: Option<Lint>,
    /// What is wrong, in one line without a full stop.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What the caret line says; empty for a bare caret.
    pub label: String,
    /// A sentence that helps.
    pub help: Option<String>,
    /// Other places that matter, such as a first declaration.
    pub notes: Vec<(Span, String)>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            lint: None,
            message: message.into(),
            span,
            label: String::new(),
            help: None,
            notes: Vec::new(),
        }
    }

    /// A warning at a place.
    pub fn warning(span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(span, message)
        }
    }

    /// A warning of a lint.
    pub fn lint(lint: Lint, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            lint: Some(lint),
            ..Diagnostic::warning(span, message)
        }
    }

    /// With text at the caret.
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// With advice.
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// With another place.
    pub fn note(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.notes.push((span, text.into()));
        self
    }

    /// Whether it rejects the model.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// As one line: `file:line:column: error: message`, or `warning[lint]` for `error`.
    pub fn short(&self, sources: &SourceMap) -> String {
        let severity = match self.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let lint = self.lint.map(|lint| format!("[{}]", lint.name()));
        format!(
            "{}: {severity}{}: {}",
            sources.location(self.span),
            lint.unwrap_or_default(),
            self.message
        )
    }
}
