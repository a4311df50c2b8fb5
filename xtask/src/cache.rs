//! Keeps the outcomes of the reference, because compiling a verifier costs most of a comparison.

use std::fmt;
use std::fs;
use std::io;
use std::path::PathBuf;

use crate::outcome::Outcome;

/// Raised when [`Outcome`] changes its meaning, so that old entries are not found.
const VERSION: &str = "1";

/// A directory with one file per outcome.
pub struct Cache {
    dir: PathBuf,
}

/// Names everything an outcome depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key(u128);

impl Key {
    /// The key of these texts, in this order: FNV-1a, which stays the same between releases
    /// of the standard library.
    pub fn new(texts: &[&str]) -> Key {
        const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        let mut hash = OFFSET;
        for text in [VERSION].iter().chain(texts) {
            // The separator is no UTF-8, so that ("ab", "c") is not ("a", "bc").
            for byte in text.bytes().chain([0xff]) {
                hash = (hash ^ u128::from(byte)).wrapping_mul(PRIME);
            }
        }
        Key(hash)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl Cache {
    /// Opens the cache in `dir`, which is made if it does not exist.
    pub fn open(dir: PathBuf) -> io::Result<Cache> {
        fs::create_dir_all(&dir)?;
        Ok(Cache { dir })
    }

    /// The outcome kept for `key`; an entry that cannot be read counts as none.
    pub fn get(&self, key: Key) -> io::Result<Option<Outcome>> {
        match fs::read(self.file(key)) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Keeps `outcome`; readers see the old entry or the new one, never half of it.
    pub fn put(&self, key: Key, outcome: &Outcome) -> io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(&self.dir)?;
        serde_json::to_writer(&mut file, outcome)?;
        file.persist(self.file(key))?;
        Ok(())
    }

    fn file(&self, key: Key) -> PathBuf {
        self.dir.join(format!("{key}.json"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Counts, FirstError, Search};

    #[test]
    fn keys_separate_their_texts() {
        assert_ne!(Key::new(&["ab", "c"]), Key::new(&["a", "bc"]));
        assert_eq!(Key::new(&["ab", "c"]), Key::new(&["ab", "c"]));
    }

    #[test]
    fn an_outcome_comes_back_as_it_was() -> io::Result<()> {
        let dir = tempfile::tempdir()?;
        let cache = Cache::open(dir.path().join("new"))?;
        let key = Key::new(&["model"]);
        assert_eq!(cache.get(key)?, None);
        let outcome = Outcome::Accepted(Search {
            counts: Counts {
                stored: 7,
                ..Counts::default()
            },
            errors: 1,
            first_error: Some(FirstError {
                message: "invalid end state".to_owned(),
                depth: -1,
            }),
            ..Search::default()
        });
        cache.put(key, &outcome)?;
        assert_eq!(cache.get(key)?, Some(outcome));
        Ok(())
    }
}
