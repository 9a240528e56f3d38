; chcverify: --engine spacer-global@integers --timeout 600
; Eight signed bits: 100 + 50 is negative.
(set-logic HORN)
(declare-fun loop ((_ BitVec 8) (_ BitVec 8)) Bool)
(assert (forall ((n (_ BitVec 8))) (=> (bvsle #x00 n) (loop #x00 n))))
(assert (forall ((i (_ BitVec 8)) (n (_ BitVec 8))) (=> (and (loop i n) (bvsle i n)) (loop (bvadd i #x32) n))))
(assert (forall ((i (_ BitVec 8)) (n (_ BitVec 8))) (=> (and (loop i n) (bvslt i #x00)) false)))
(check-sat)
