; chcverify: --engine spacer --timeout 600
(set-logic HORN)
(declare-fun inv (Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (inv x))))
(check-sat)
