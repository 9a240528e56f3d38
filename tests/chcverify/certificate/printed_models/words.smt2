(set-logic HORN)
(declare-fun word ((_ BitVec 8) (_ BitVec 8)) Bool)
; word(0, 15)
(assert (word #x00 #x0f))
; word(x, y) & x <u 10 => word(x + 1, y)
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (word x y) (bvult x #x0a)) (word (bvadd x #x01) y))))
; word(x, y) & x >u 200 => false
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8))) (=> (and (word x y) (bvugt x #xc8)) false)))
(check-sat)
