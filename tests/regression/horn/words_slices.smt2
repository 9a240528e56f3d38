; chcverify: --engine spacer-global@integers --timeout 600
; Masks, shifts, slices and extensions by constants: the upper half of a byte stays while the lower half counts.
(set-logic HORN)
(declare-fun byte ((_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 8))) (byte (bvor #x50 (bvlshr x #x04)))))
(assert (forall ((b (_ BitVec 8))) (=> (byte b) (byte (bvor (bvand b #xf0) (bvand (bvadd b #x01) #x0f))))))
(assert (forall ((b (_ BitVec 8)))
  (=> (and (byte b) (not (= ((_ zero_extend 4) ((_ extract 7 4) b)) #x05))) false)))
(check-sat)
