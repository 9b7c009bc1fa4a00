;; All places are bytes in the memory.
(module
  (import "engine" "memory" (memory 1))

  (func $sum (param $v v128) (result f32)
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $v)) (f32x4.extract_lane 1 (local.get $v)))
      (f32.add (f32x4.extract_lane 2 (local.get $v)) (f32x4.extract_lane 3 (local.get $v)))))

  ;; Turn halves, 16 bits each, from `from` on into numbers at `to` up to `end`, by fours.
  (func $widen (export "widen") (param $from i32) (param $to i32) (param $end i32)
    (loop $fours
      (v128.store (local.get $to)
        (f32x4.mul ;; the exponents of halves are 112 lower
          (v128.and ;; the sign stays, its copies go
            (i32x4.shl (v128.load16x4_s (local.get $from)) (i32.const 13))
            (v128.const i32x4 0x8fffffff 0x8fffffff 0x8fffffff 0x8fffffff))
          (v128.const f32x4 0x1p112 0x1p112 0x1p112 0x1p112)))
      (local.set $from (i32.add (local.get $from) (i32.const 8)))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (br_if $fours (i32.lt_u (local.get $to) (local.get $end)))))

  ;; Tell whether all halves from `from` up to `end`, by eights, are finite: 1, or 0.
  (func (export "finite") (param $from i32) (param $end i32) (result i32)
    (local $exponents v128) (local $strange v128)
    (local.set $exponents (v128.const i16x8 0x7c00 0x7c00 0x7c00 0x7c00 0x7c00 0x7c00 0x7c00 0x7c00))
    (loop $eights
      (local.set $strange
        (v128.or (local.get $strange)
          (i16x8.eq (local.get $exponents)
            (v128.and (local.get $exponents) (v128.load (local.get $from))))))
      (local.set $from (i32.add (local.get $from) (i32.const 16)))
      (br_if $eights (i32.lt_u (local.get $from) (local.get $end))))
    (i32.eqz (v128.any_true (local.get $strange))))

  ;; The one product of matrices: y = x W^T + b, with four outputs in one run over a row of x. `inputs`
  ;; and `outputs` are multiples of 4. Rows of x and of W have `inputs` numbers, rows of y have
  ;; `outputs`, and b has one for each output. Where W holds halves, `wide` is room for four of its rows
  ;; as numbers, else 0: halves are half of what has to come from the memory.
  (func (export "linear")
    (param $x i32) (param $rows i32) (param $w i32) (param $b i32)
    (param $inputs i32) (param $outputs i32) (param $y i32) (param $wide i32)
    (local $width i32) (local $rows_of_w i32) (local $output i32) (local $row i32) (local $place i32) (local $end i32)
    (local $w0 i32) (local $w1 i32) (local $w2 i32) (local $w3 i32)
    (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128) (local $v v128)
    (local.set $width (i32.shl (local.get $inputs) (i32.const 2)))
    (loop $outputs_of_w
      (if (local.get $wide)
        (then
          (local.set $rows_of_w (local.get $wide))
          (call $widen
            (i32.add (local.get $w)
              (i32.shl (i32.mul (local.get $output) (local.get $inputs)) (i32.const 1)))
            (local.get $wide)
            (i32.add (local.get $wide) (i32.shl (local.get $width) (i32.const 2)))))
        (else
          (local.set $rows_of_w
            (i32.add (local.get $w) (i32.mul (local.get $output) (local.get $width))))))
      (local.set $row (i32.const 0))
      (local.set $place (local.get $x))
      (loop $rows_of_x
        (local.set $w0 (local.get $rows_of_w))
        (local.set $w1 (i32.add (local.get $w0) (local.get $width)))
        (local.set $w2 (i32.add (local.get $w1) (local.get $width)))
        (local.set $w3 (i32.add (local.get $w2) (local.get $width)))
        (local.set $end (i32.add (local.get $place) (local.get $width)))
        (local.set $s0 (v128.const f32x4 0 0 0 0))
        (local.set $s1 (v128.const f32x4 0 0 0 0))
        (local.set $s2 (v128.const f32x4 0 0 0 0))
        (local.set $s3 (v128.const f32x4 0 0 0 0))
        (loop $along
          (local.set $v (v128.load (local.get $place)))
          (local.set $s0 (f32x4.add (local.get $s0)
            (f32x4.mul (local.get $v) (v128.load (local.get $w0)))))
          (local.set $s1 (f32x4.add (local.get $s1)
            (f32x4.mul (local.get $v) (v128.load (local.get $w1)))))
          (local.set $s2 (f32x4.add (local.get $s2)
            (f32x4.mul (local.get $v) (v128.load (local.get $w2)))))
          (local.set $s3 (f32x4.add (local.get $s3)
            (f32x4.mul (local.get $v) (v128.load (local.get $w3)))))
          (local.set $place (i32.add (local.get $place) (i32.const 16)))
          (local.set $w0 (i32.add (local.get $w0) (i32.const 16)))
          (local.set $w1 (i32.add (local.get $w1) (i32.const 16)))
          (local.set $w2 (i32.add (local.get $w2) (i32.const 16)))
          (local.set $w3 (i32.add (local.get $w3) (i32.const 16)))
          (br_if $along (i32.lt_u (local.get $place) (local.get $end))))
        (local.set $v (f32x4.splat (call $sum (local.get $s0))))
        (local.set $v (f32x4.replace_lane 1 (local.get $v) (call $sum (local.get $s1))))
        (local.set $v (f32x4.replace_lane 2 (local.get $v) (call $sum (local.get $s2))))
        (local.set $v (f32x4.replace_lane 3 (local.get $v) (call $sum (local.get $s3))))
        (v128.store
          (i32.add (local.get $y)
            (i32.shl
              (i32.add (i32.mul (local.get $row) (local.get $outputs)) (local.get $output))
              (i32.const 2)))
          (f32x4.add (local.get $v)
            (v128.load
              (i32.add (local.get $b) (i32.shl (local.get $output) (i32.const 2))))))
        (local.set $row (i32.add (local.get $row) (i32.const 1)))
        (br_if $rows_of_x (i32.lt_u (local.get $row) (local.get $rows))))
      (local.set $output (i32.add (local.get $output) (i32.const 4)))
      (br_if $outputs_of_w (i32.lt_u (local.get $output) (local.get $outputs))))))
