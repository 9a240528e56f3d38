; chcverify: --engine spacer --timeout 600
(set-logic HORN)
(declare-fun fib (Int Int) Bool)
(assert (forall ((n Int)) (=> (and (>= n 0) (<= n 1)) (fib n n))))
(assert (forall ((n Int) (a Int) (b Int)) (=> (and (fib (- n 1) a) (fib (- n 2) b) (> n 1)) (fib n (+ a b)))))
(assert (forall ((r Int)) (=> (and (fib 6 r) (= r 8)) false)))
(check-sat)
