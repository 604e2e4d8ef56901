import { groupOrder } from './scalarField.ts'

/** Numbers that a blob consists of. */
export const valuesPerBlob = 4096

/** The numbers of a blob: a polynomial's values at the roots of one; undefined when one is not below the group's order. */
export function blobValues(blob: Uint8Array): bigint[] | undefined {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength)
  const values: bigint[] = []
  for (let at = 0; at < blob.length; at += 32) {
    const high = (view.getBigUint64(at) << 64n) | view.getBigUint64(at + 8)
    const value = (high << 128n) | (view.getBigUint64(at + 16) << 64n) | view.getBigUint64(at + 24)
    if (value >= groupOrder) return undefined
    values.push(value)
  }
  return values
}
