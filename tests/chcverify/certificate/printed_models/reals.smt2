(set-logic HORN)
(declare-fun half (Real) Bool)
; half(1)
(assert (half 1.0))
; half(x) => half(x / 2)
(assert (forall ((x Real)) (=> (half x) (half (* 0.5 x)))))
; half(x) & x < 0 => false
(assert (forall ((x Real)) (=> (and (half x) (< x 0.0)) false)))
(check-sat)
