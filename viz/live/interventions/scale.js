import { attentionSite } from "../sites/sites.js";
import { Intervention, change, checkHead } from "./base.js";
import { FACTOR, KIND } from "./fields.js";
import { message } from "./message.js";

/** A change to all scores of a kind of attention, in all layers. */
class ScoreIntervention extends Intervention {
  static stage = 0;

  check({ config }) {
    checkHead({ kind: this.kind }, config);
  }

  edits(sizes) {
    const edit = change((scores) => {
      for (let at = 0; at < scores.length; at++) scores[at] = this.scored(scores[at], sizes.config);
    });
    return sizes.layers(this.kind).map((layer) => [attentionSite(this.kind, layer, "scores"), edit]);
  }
}

/** Leave out the division of the scores by sqrt(d_k). */
export class Unscale extends ScoreIntervention {
  static names = ["raw"];
  static values = { kind: KIND };

  get words() {
    return message("{kind}: scores not divided by √dₖ", { kind: this.kind });
  }

  scored(score, config) {
    return score * Math.sqrt(config.d_model / config.heads);
  }
}

/** Multiply the scores. */
export class ScaleScores extends ScoreIntervention {
  static names = ["times"];
  static values = { kind: KIND, factor: FACTOR };

  get words() {
    return message("{kind}: scores times {factor:g}", { kind: this.kind, factor: this.factor });
  }

  scored(score) {
    return score * this.factor;
  }
}

/** Limit the scores to the range from -limit to limit. */
export class ClampScores extends ScoreIntervention {
  static names = ["clamp"];
  static values = { kind: KIND, limit: FACTOR };
  static stage = 1;

  get words() {
    return message("{kind}: scores within ±{limit:g}", { kind: this.kind, limit: this.limit });
  }

  check(sizes) {
    super.check(sizes);
    if (!(this.limit > 0)) throw new Error(`limit must be a finite number above 0, not ${this.limit}`);
  }

  scored(score) {
    return Math.min(Math.max(score, -this.limit), this.limit);
  }
}
