; chcverify: --engine spacer-global@integers --timeout 600
; A loop whose unsigned counter ends at a signed bound, with a sum of words that might wrap around.
(set-logic HORN)
(declare-fun loop ((_ BitVec 32) (_ BitVec 32) (_ BitVec 32)) Bool)
(assert (forall ((n (_ BitVec 32))) (=> (and (bvsle #x00000000 n) (bvsle n #x000f4240)) (loop #x00000000 #x00000000 n))))
(assert (forall ((i (_ BitVec 32)) (s (_ BitVec 32)) (n (_ BitVec 32)))
  (=> (and (loop i s n) (bvult i n)) (loop (bvadd i #x00000001) (bvadd s #x00000003) n))))
(assert (forall ((i (_ BitVec 32)) (s (_ BitVec 32)) (n (_ BitVec 32)))
  (=> (and (loop i s n) (not (bvult i n)) (not (= s (bvmul n #x00000003)))) false)))
(check-sat)
