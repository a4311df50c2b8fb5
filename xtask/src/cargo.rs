//! Builds parts of the workspace.

use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// The profile of tests, and of everything else whose speed is not measured.
pub const TEST_PROFILE: &str = "ci";

/// A test binary: the unit tests of a crate, or one file of its integration tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestBinary {
    /// The package, such as `checker`.
    pub package: String,
    /// The target, such as `symmetry`.
    pub target: String,
    /// Whether it is an integration test.
    pub integration: bool,
    /// The binary itself.
    pub path: PathBuf,
    /// The directory of the package, where its tests run.
    pub dir: PathBuf,
}

impl TestBinary {
    /// The name for people, such as `checker::symmetry`.
    pub fn name(&self) -> String {
        match self.integration {
            true => format!("{}::{}", self.package, self.target),
            false => format!("{} (unit tests)", self.package),
        }
    }

    /// A command that runs it.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command
            .current_dir(&self.dir)
            .env("CARGO_MANIFEST_DIR", &self.dir)
            .stdin(Stdio::null());
        command
    }
}

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Cargo, in the root of the workspace.
pub fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root()).stdin(Stdio::null());
    command
}

/// Builds spinor; the path of the binary. The profile is `release`, unless `SPINOR_PROFILE` says
/// otherwise.
pub fn build_spinor() -> io::Result<PathBuf> {
    let profile = env::var("SPINOR_PROFILE").unwrap_or_else(|_| "release".to_owned());
    let status = cargo()
        // Of the workspace: so its dependencies have the features that they have in tests.
        .args(["build", "--quiet", "--workspace", "--bin", "spinor"])
        .args(["--profile", &profile])
        .status()?;
    if !status.success() {
        return Err(io::Error::other("spinor does not build"));
    }
    let target = env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    Ok(root().join(target).join(directory(&profile)).join("spinor"))
}

/// Where the binaries of a profile are, below the target directory.
fn directory(profile: &str) -> &str {
    match profile {
        "dev" | "test" => "debug",
        "bench" => "release",
        other => other,
    }
}

/// Builds the test binaries of the workspace; integration tests come first.
pub fn test_binaries() -> io::Result<Vec<TestBinary>> {
    let output = cargo()
        .args(["test", "--workspace", "--no-run"])
        .args(["--profile", TEST_PROFILE])
        .args(["--message-format", "json-render-diagnostics"])
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err(io::Error::other("the tests do not build"));
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    let mut binaries: Vec<TestBinary> = messages.lines().filter_map(test_binary).collect();
    binaries.sort_by_key(|binary| !binary.integration);
    Ok(binaries)
}

/// The test binary that a message of cargo is about, if it is about one.
fn test_binary(message: &str) -> Option<TestBinary> {
    let message: Value = serde_json::from_str(message).ok()?;
    if message["profile"]["test"] != true {
        return None;
    }
    let path = message["executable"].as_str()?;
    let dir = Path::new(message["manifest_path"].as_str()?).parent()?;
    let target = &message["target"];
    Some(TestBinary {
        package: dir.file_name()?.to_str()?.to_owned(),
        target: target["name"].as_str()?.to_owned(),
        integration: target["kind"][0] == "test",
        path: path.into(),
        dir: dir.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_about_test_binaries() {
        let message = r#"{"reason":"compiler-artifact",
            "manifest_path":"/spinor/crates/checker/Cargo.toml",
            "target":{"kind":["test"],"name":"symmetry"},"profile":{"test":true},
            "executable":"/spinor/target/ci/deps/symmetry-1"}"#;
        let binary = test_binary(message).expect("a test binary");
        assert_eq!(binary.name(), "checker::symmetry");
        assert_eq!(binary.dir, Path::new("/spinor/crates/checker"));
        let library = message.replace("true", "false");
        assert_eq!(test_binary(&library), None);
        assert_eq!(test_binary("no message"), None);
    }
}
