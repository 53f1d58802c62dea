/**
 * The rings of a graph in which every node has at most one successor (`next[node]`, negative for none), each as its nodes
 * in the order they are walked, beginning with the smallest. Linear.
 */
export function findRings(next: ArrayLike<number>, length: number): number[][] {
  const rings: number[][] = [];
  // 0: not seen; otherwise 1 + the node whose walk first came by.
  const seenBy = new Uint32Array(length);
  for (let start = 0; start < length; start++) {
    if (seenBy[start] !== 0) continue;
    let node = start;
    while (node >= 0 && seenBy[node] === 0) {
      seenBy[node] = start + 1;
      node = next[node]!;
    }
    if (node < 0 || seenBy[node] !== start + 1) continue;
    const ring: number[] = [];
    let member = node;
    do {
      ring.push(member);
      member = next[member]!;
    } while (member !== node);
    const smallest = ring.indexOf(ring.reduce((a, b) => Math.min(a, b)));
    rings.push([...ring.slice(smallest), ...ring.slice(0, smallest)]);
  }
  return rings;
}
