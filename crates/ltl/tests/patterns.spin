# States of the never claims of Spin 6.5.2 for the negations of the patterns, made with
#   cargo xtask ltl --record --time 120 --spin SPIN
# which runs SPIN -f '!(FORMULA)', with `a W b` as `([] a) || (a U b)`, as Spin reads it.
# SPIN has Spin's translator compiled with -DNXT: without it `X` is refused, and all other
# numbers are the same. A dash: no answer in this time.
#
# pattern, scope | states
absence, globally | 2
absence, before r | 3
absence, after q | 3
absence, between q and r | 4
absence, after q until r | 6
existence, globally | 1
existence, before r | 5
existence, after q | 3
existence, between q and r | 6
existence, after q until r | 3
bounded existence, globally | 36
bounded existence, before r | 7
bounded existence, after q | -
bounded existence, between q and r | -
bounded existence, after q until r | -
universality, globally | 2
universality, before r | 3
universality, after q | 3
universality, between q and r | 4
universality, after q until r | 6
precedence, globally | 5
precedence, before r | 4
precedence, after q | 14
precedence, between q and r | 5
precedence, after q until r | 6
response, globally | 2
response, before r | 6
response, after q | 3
response, between q and r | 7
response, after q until r | 9
precedence chain 2-1, globally | 14
precedence chain 2-1, before r | 6
precedence chain 2-1, after q | 40
precedence chain 2-1, between q and r | 7
precedence chain 2-1, after q until r | 15
precedence chain 1-2, globally | 8
precedence chain 1-2, before r | 8
precedence chain 1-2, after q | 77
precedence chain 1-2, between q and r | 9
precedence chain 1-2, after q until r | 16
response chain 2-1, globally | 5
response chain 2-1, before r | 9
response chain 2-1, after q | 10
response chain 2-1, between q and r | 13
response chain 2-1, after q until r | -
response chain 1-2, globally | 4
response chain 1-2, before r | 15
response chain 1-2, after q | 4
response chain 1-2, between q and r | 16
response chain 1-2, after q until r | 33
constrained chain, globally | 5
constrained chain, before r | 15
constrained chain, after q | 4
constrained chain, between q and r | 16
constrained chain, after q until r | 34
