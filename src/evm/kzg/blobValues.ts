import { groupOrder } from './scalarField.ts'

/** Number of field elements in a blob. */
export const valuesPerBlob = 4096

/** Returns the field elements of a blob: a polynomial's values at the roots of unity; undefined if one is too large. */
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
