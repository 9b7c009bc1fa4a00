import { SetAttention, TurnAttention } from "./attention.js";
import {
  LeaveOutNorm, LeaveOutReLU, LeaveOutResidual, LeaveOutSublayer, SkipLayer, ZeroUnit,
} from "./blocks.js";
import { AblateHead } from "./heads.js";
import { BlockAttention, HideSource, InvertMask, LiftMask, PadSource, Window } from "./masks.js";
import { PatchActivation } from "./patches.js";
import {
  HoldPosition, RepeatPosition, ScalePositions, ShiftPositions, ShufflePositions,
} from "./positions.js";
import { ClampScores, ScaleScores, Unscale } from "./scale.js";
import { ShareKeysValues, TieQueries } from "./sharing.js";

/** All kinds, in the order of Python's table. */
export const INTERVENTIONS = [
  LiftMask,
  InvertMask,
  Window,
  Unscale,
  ScaleScores,
  ClampScores,
  PadSource,
  ScalePositions,
  ShiftPositions,
  ShufflePositions,
  RepeatPosition,
  HoldPosition,
  LeaveOutSublayer,
  LeaveOutResidual,
  LeaveOutNorm,
  SkipLayer,
  LeaveOutReLU,
  ZeroUnit,
  HideSource,
  TieQueries,
  ShareKeysValues,
  AblateHead,
  SetAttention,
  TurnAttention,
  PatchActivation,
  BlockAttention,
];
