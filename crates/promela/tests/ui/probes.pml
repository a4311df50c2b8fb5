chan c = [1] of { byte };
init { if :: !full(c) -> skip :: full(c) == 1 -> skip :: x = full(c) + 1 fi }
