//! Prints the random models of the seeds given as arguments.

fn main() {
    for argument in std::env::args().skip(1) {
        let seed = argument.parse().expect("a seed is a number");
        print!("{}", generate::model(seed));
    }
}
