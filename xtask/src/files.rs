//! Finds the models that a command line names.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The given files, and all `.pml` files below the given directories, sorted by name.
pub fn models(paths: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            found.extend(below(path)?);
        } else if path.exists() {
            found.push(path.clone());
        } else {
            let message = format!("{} does not exist", path.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, message));
        }
    }
    Ok(found)
}

fn below(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![root.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "pml") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_are_searched_and_files_taken_as_they_are() -> io::Result<()> {
        let dir = tempfile::tempdir()?;
        let at = |name: &str| dir.path().join(name);
        fs::create_dir(at("sub"))?;
        for name in ["sub/b.pml", "c.pml", "a.h", "model"] {
            fs::write(at(name), "")?;
        }
        let found = models(&[at("model"), dir.path().to_owned()])?;
        assert_eq!(found, [at("model"), at("c.pml"), at("sub/b.pml")]);
        assert!(models(&[at("absent")]).is_err());
        Ok(())
    }
}
