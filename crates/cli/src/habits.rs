//! Habits of Spin: what to type instead of the options of `spin` and `pan`.

use std::ffi::OsString;

/// An option of `spin` or `pan`, and what `spinor check` has for it.
struct Habit {
    /// The option. With `takes_number` it is followed by digits, as in `-m10000`.
    option: &'static str,
    takes_number: bool,
    /// The option of `spinor check`, to which a number is appended; empty for the default.
    instead: &'static str,
}

const fn habit(option: &'static str, instead: &'static str) -> Habit {
    Habit {
        option,
        takes_number: false,
        instead,
    }
}

const fn numbered(option: &'static str, instead: &'static str) -> Habit {
    Habit {
        option,
        takes_number: true,
        instead,
    }
}

/// What people type out of habit.
const HABITS: &[Habit] = &[
    habit("-run", ""),
    habit("-search", ""),
    habit("-a", ""),
    habit("-l", "--progress-cycles"),
    habit("-np", "--progress-cycles"),
    habit("-f", "--fairness weak"),
    habit("-bfs", "--search bfs"),
    habit("--bfs", "--search bfs"),
    habit("--dfs", "--search dfs"),
    habit("-bitstate", "--store bitstate"),
    habit("-DBITSTATE", "--store bitstate"),
    habit("-hc", "--store compact"),
    habit("-DHC", "--store compact"),
    habit("-collapse", ""),
    habit("-DCOLLAPSE", ""),
    habit("-noreduce", "--por none"),
    habit("-DNOREDUCE", "--por none"),
    habit("-safety", "--safety"),
    habit("-DSAFETY", "--safety"),
    habit("-DBFS", "--search bfs"),
    habit("-DREACH", "--search depth-limited"),
    habit("-DNP", "--progress-cycles"),
    habit("-ltl", "--ltl"),
    habit("-N", "--ltl"),
    habit("-i", "--shortest"),
    habit("-I", "--shortest"),
    habit("-n", "-q"),
    habit("-e", ""),
    habit("-b", ""),
    habit("-c0", "--all-errors"),
    numbered("-c", "--max-errors"),
    numbered("-m", "--depth"),
    numbered("-Q", "--time"),
    numbered("-w", ""),
    numbered("-M", ""),
    numbered("-k", "--hash-functions"),
    numbered("-swarm", "--swarm"),
    numbered("-DMEMLIM=", "--memory"),
    numbered("-DVECTORSZ=", ""),
    numbered("-DNFAIR=", ""),
    numbered("-DMA=", "--store tree"),
    habit("-o1", "--no-reduction"),
    habit("-o2", "--no-reduction"),
    habit("-o3", "--no-reduction"),
];

/// Options of `spin` for a simulation that need no equivalent.
const SIMULATION: &[&str] = &["-p", "-g", "-r", "-s", "-u", "-j", "-c", "-v", "-B", "-T"];

/// The command to type for arguments that were not understood, if they look like Spin's.
pub fn advice(args: &[OsString], commands: &[String]) -> Option<String> {
    let words: Vec<&str> = args.iter().skip(1).filter_map(|arg| arg.to_str()).collect();
    let first = words.first()?;
    match *first {
        "check" => {
            let known = words[1..].iter().any(|word| find(word).is_some());
            known.then(|| check(&words[1..]))
        }
        command if commands.iter().any(|known| known == command) => None,
        _ => outside_of_a_command(&words),
    }
}

/// The command for words that begin with none.
fn outside_of_a_command(words: &[&str]) -> Option<String> {
    let model = words.iter().rfind(|word| is_model(word));
    let has = |option: &str| words.contains(&option);
    let numbered: Vec<String> = words.iter().filter_map(|w| simulation(w)).collect();
    let simulates = !numbered.is_empty() || words.iter().any(|word| SIMULATION.contains(word));
    let name = model.copied().unwrap_or("MODEL.pml");
    if words == [name] {
        return Some(format!(
            "spinor check {name}       (or, for one random run: spinor simulate {name})"
        ));
    }
    if has("-t") || words.iter().any(|word| is_trail_number(word)) {
        return Some(format!(
            "spinor replay TRACE.json       (for a Spin trail: spinor replay {name} --trail FILE)"
        ));
    }
    if simulates && !has("-run") && !has("-search") {
        let options: String = numbered.iter().map(|option| format!(" {option}")).collect();
        return Some(format!("spinor simulate {name}{options}"));
    }
    if has("-i") && !has("-run") && !has("-search") {
        return Some(format!("spinor simulate --interactive {name}"));
    }
    let known = words.iter().any(|word| find(word).is_some());
    (known || model.is_some()).then(|| check(words))
}

/// `-n42` and `-u100`, the seed and the length of a simulation.
fn simulation(word: &str) -> Option<String> {
    [("-n", "--seed"), ("-u", "--steps")]
        .into_iter()
        .find_map(|(option, instead)| {
            let number = word.strip_prefix(option)?;
            is_number(number).then(|| format!("{instead} {number}"))
        })
}

/// `spinor check` with the options that stand for others.
fn check(words: &[&str]) -> String {
    let mut command = vec!["spinor check".to_owned()];
    let mut options: Vec<String> = Vec::new();
    for word in words {
        let instead = match find(word) {
            Some(instead) => instead,
            None if is_understood(word) => (*word).to_owned(),
            None => String::new(),
        };
        if !instead.is_empty() && !options.contains(&instead) {
            options.push(instead);
        }
    }
    let is_model_word = |word: &String| is_model(word);
    if !options.iter().any(is_model_word) {
        command.push("MODEL.pml".to_owned());
    }
    options.sort_by_key(|word| !is_model(word));
    command.extend(options);
    command.join(" ")
}

/// Whether a word may stand in a command as it is: a model, or an option of `spinor check`.
fn is_understood(word: &str) -> bool {
    let options = ["--", "-D", "-I"];
    !word.starts_with('-') || word == "-q" || options.iter().any(|o| word.starts_with(o))
}

/// What stands for an option; nothing for what is no habit of Spin.
fn find(word: &str) -> Option<String> {
    let exact = HABITS.iter().find(|h| !h.takes_number && h.option == word);
    if let Some(habit) = exact {
        return Some(habit.instead.to_owned());
    }
    HABITS.iter().filter(|h| h.takes_number).find_map(|habit| {
        let number = word.strip_prefix(habit.option)?;
        let unit = match habit.option {
            "-DMEMLIM=" => "M",
            "-Q" => "m",
            _ => "",
        };
        is_number(number).then(|| match habit.instead {
            instead if instead.is_empty() || habit.option == "-DMA=" => instead.to_owned(),
            option => format!("{option} {number}{unit}"),
        })
    })
}

fn is_model(word: &str) -> bool {
    let endings = [".pml", ".prom", ".promela", ".spin"];
    !word.starts_with('-') && endings.iter().any(|ending| word.ends_with(ending))
}

/// `-t3`, the third trail.
fn is_trail_number(word: &str) -> bool {
    word.strip_prefix("-t").is_some_and(is_number)
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_to_type() {
        let commands: Vec<String> = ["check", "simulate", "plan"].map(str::to_owned).to_vec();
        let check = |line: &str, expected: Option<&str>| {
            let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            assert_eq!(advice(&args, &commands).as_deref(), expected, "{line}");
        };
        check(
            "spinor m.pml",
            Some("spinor check m.pml       (or, for one random run: spinor simulate m.pml)"),
        );
        check("spinor -a m.pml", Some("spinor check m.pml"));
        check(
            "spinor -run -a -f -m10000 m.pml",
            Some("spinor check m.pml --fairness weak --depth 10000"),
        );
        check(
            "spinor check m.pml --bfs -c0",
            Some("spinor check m.pml --search bfs --all-errors"),
        );
        check(
            "spinor -DCOLLAPSE -DMA=20 -n -Q5 m.pml",
            Some("spinor check m.pml --store tree -q --time 5m"),
        );
        check(
            "spinor -x -DN=3 m.pml -q",
            Some("spinor check m.pml -DN=3 -q"),
        );
        check("spinor -p -g m.pml", Some("spinor simulate m.pml"));
        check(
            "spinor -n42 -u100 m.pml",
            Some("spinor simulate m.pml --seed 42 --steps 100"),
        );
        check(
            "spinor -t m.pml",
            Some(
                "spinor replay TRACE.json       (for a Spin trail: spinor replay m.pml \
                 --trail FILE)",
            ),
        );
        check("spinor check m.pml --nonsense", None);
        check("spinor simulate --bfs", None);
        check("spinor nonsense", None);
    }
}
