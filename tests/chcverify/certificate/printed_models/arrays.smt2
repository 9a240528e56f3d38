(set-logic HORN)
(declare-fun fill (Int (Array Int Int) Bool) Bool)
; i = 0 & a[7] = 0 => fill(i, a, true)
(assert (forall ((i Int) (a (Array Int Int))) (=> (and (= i 0) (= (select a 7) 0)) (fill i a true))))
; fill(i, a, b) & i < 5 => fill(i + 1, a[i := i], b)
(assert (forall ((i Int) (a (Array Int Int)) (b Bool)) (=> (and (fill i a b) (< i 5)) (fill (+ i 1) (store a i i) b))))
; fill(i, a, b) & b & a[7] > 0 => false
(assert (forall ((i Int) (a (Array Int Int)) (b Bool)) (=> (and (fill i a b) b (> (select a 7) 0)) false)))
(check-sat)
