/**
 * A function (key, compute) that computes an array once for each key. When its arrays take more than
 * `most` bytes, it forgets the arrays that were used longest ago.
 */
export function boundedCache(most) {
  const arrays = new Map(); // the most recently used array stands last
  let bytes = 0;
  return (key, compute) => {
    let array = arrays.get(key);
    if (!array) {
      array = compute();
      bytes += array.byteLength;
    }
    arrays.delete(key);
    arrays.set(key, array);
    for (const [oldest, { byteLength }] of arrays) {
      if (bytes <= most || oldest === key) break;
      arrays.delete(oldest);
      bytes -= byteLength;
    }
    return array;
  };
}
