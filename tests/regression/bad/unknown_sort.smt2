; chcverify:
(set-logic HORN)
(declare-fun inv (Strange) Bool)
(check-sat)
