/** An opcode's name as traces have it: both Besu and geth call the hash by its later name. */
export function shownOpName(name: string): string {
  return name === 'SHA3' ? 'KECCAK256' : name
}
