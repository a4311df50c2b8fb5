//! Numbers in few bytes, seven bits each, the low ones first.

/// Append a number.
#[inline]
pub(crate) fn push(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Take a number from the front of `bytes`. What is missing counts as 0.
#[inline]
pub(crate) fn take(bytes: &mut &[u8]) -> u64 {
    let mut number = 0;
    let mut shift = 0;
    while let Some((&byte, rest)) = bytes.split_first() {
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 || shift > 63 {
            break;
        }
    }
    number
}

/// Append a number so that [`take_back`] finds it at the end.
#[inline]
pub(crate) fn push_back(out: &mut Vec<u8>, number: u64) {
    let start = out.len();
    push(out, number);
    out[start..].reverse();
}

/// Take a number from the end of `bytes`. What is missing counts as 0.
#[inline]
pub(crate) fn take_back(bytes: &mut &[u8]) -> u64 {
    let mut number = 0;
    let mut shift = 0;
    while let Some((&byte, rest)) = bytes.split_last() {
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 || shift > 63 {
            break;
        }
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_from_both_ends() {
        let numbers = [0, 1, 127, 128, 300, 1 << 21, u64::from(u32::MAX), u64::MAX];
        let (mut forward, mut backward) = (Vec::new(), Vec::new());
        for number in numbers {
            push(&mut forward, number);
            push_back(&mut backward, number);
        }
        let (mut forward, mut backward) = (&forward[..], &backward[..]);
        for (number, reversed) in numbers.into_iter().zip(numbers.into_iter().rev()) {
            assert_eq!(take(&mut forward), number);
            assert_eq!(take_back(&mut backward), reversed);
        }
        assert!(forward.is_empty() && backward.is_empty());
        assert_eq!((take(&mut forward), take_back(&mut backward)), (0, 0));
    }
}
