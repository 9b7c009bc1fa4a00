const SIZE = 624;

/** The Mersenne Twister, which draws as torch's generator does. */
export class Random {
  /** @param {number} seed A whole number, 0 or more. */
  constructor(seed) {
    this.state = new Uint32Array(SIZE);
    this.state[0] = seed % 2 ** 32;
    for (let at = 1; at < SIZE; at++) {
      const last = this.state[at - 1];
      this.state[at] = Math.imul(1_812_433_253, last ^ (last >>> 30)) + at;
    }
    this.place = SIZE;
  }

  /** @returns {number} A whole number of 32 bits. */
  whole() {
    if (this.place === SIZE) this.renew();
    let bits = this.state[this.place++];
    bits ^= bits >>> 11;
    bits ^= (bits << 7) & 0x9d2c5680;
    bits ^= (bits << 15) & 0xefc60000;
    return (bits ^ (bits >>> 18)) >>> 0;
  }

  renew() {
    const { state } = this;
    for (let at = 0; at < SIZE; at++) {
      const bits = (state[at] & 0x80000000) | (state[(at + 1) % SIZE] & 0x7fffffff);
      state[at] = state[(at + 397) % SIZE] ^ (bits >>> 1) ^ (bits & 1 ? 0x9908b0df : 0);
    }
    this.place = 0;
  }

  /** @returns {number} A number from 0 to below 1, of 53 bits. */
  uniform() {
    const high = this.whole() & 0x1fffff;
    return (high * 2 ** 32 + this.whole()) / 2 ** 53;
  }

  /**
   * Draw an order of the numbers below `length`.
   * @param {number} length How many.
   * @returns {number[]} Them in a random order.
   */
  order(length) {
    const order = Array.from({ length }, (_, at) => at);
    for (let at = 0; at < length - 1; at++) {
      const other = at + (this.whole() % (length - at));
      [order[at], order[other]] = [order[other], order[at]];
    }
    return order;
  }
}
