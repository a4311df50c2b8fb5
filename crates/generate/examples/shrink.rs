//! Shrinks a model as long as a command succeeds on it: `shrink model.pml command arguments…`. The
//! command gets the name of a file with a candidate as its last argument, and exits with 0 if the
//! candidate still shows the failure.

use std::process::{Command, Stdio};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: shrink model.pml command arguments…";
    let model = arguments.next().expect(usage);
    let program = arguments.next().expect(usage);
    let arguments: Vec<String> = arguments.collect();
    let candidate = std::env::temp_dir().join(format!("shrink-{}.pml", std::process::id()));
    let text = std::fs::read_to_string(model).expect("the model can be read");
    let mut still_fails = |text: &str| {
        std::fs::write(&candidate, text).expect("the candidate can be written");
        let mut command = Command::new(&program);
        command.args(&arguments).arg(&candidate);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.status().expect("the command runs").success()
    };
    print!("{}", generate::shrink(&text, &mut still_fails));
    std::fs::remove_file(&candidate).expect("the candidate can be removed");
}
