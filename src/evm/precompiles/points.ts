import { type Mcl, type Pointer, sizes } from './mcl.ts'

/** The encoding of a curve's points in a precompile's input and output. */
interface Encoding {
  /** Bytes of a coordinate; leading bytes beyond the field's length must be 0. */
  readonly elementBytes: number
  readonly fieldBytes: number
  /** Which half of an element of the quadratic extension comes first. */
  readonly first: 'real' | 'imaginary'
}

/** Converts points of both groups between their encoding and the library's. All zeros encode infinity. */
export interface Points {
  /** Returns false if a coordinate is not a field element. */
  readElement(out: Pointer, input: Uint8Array, at: number): boolean
  readPair(out: Pointer, input: Uint8Array, at: number): boolean
  /** Returns false if the point is not on the curve; the subgroup is not checked. */
  readG1(out: Pointer, input: Uint8Array, at: number): boolean
  readG2(out: Pointer, input: Uint8Array, at: number): boolean
  writeG1(point: Pointer): Uint8Array
  writeG2(point: Pointer): Uint8Array
}

export function createPoints(mcl: Mcl, { elementBytes, fieldBytes, first }: Encoding): Points {
  const { lib, readField, writeField, copy, clear } = mcl
  const padding = elementBytes - fieldBytes
  const one = mcl.alloc(sizes.fp2)
  clear(one, sizes.fp2)
  lib.mclBnFp_setInt32(one, 1)
  // Offset in memory of the half that comes first in the input; the other one is next to it.
  const firstHalf = first === 'real' ? 0 : sizes.fp

  function readElement(out: Pointer, input: Uint8Array, at: number): boolean {
    for (let i = at; i < at + padding; i++) if (input[i] !== 0) return false
    return readField(out, input.subarray(at + padding, at + elementBytes))
  }

  function readPair(out: Pointer, input: Uint8Array, at: number): boolean {
    return readElement(out + firstHalf, input, at) && readElement(out + sizes.fp - firstHalf, input, at + elementBytes)
  }

  function isAllZero(input: Uint8Array, at: number, length: number): boolean {
    for (let i = at; i < at + length; i++) if (input[i] !== 0) return false
    return true
  }

  return {
    readElement,
    readPair,
    readG1(out, input, at) {
      if (isAllZero(input, at, 2 * elementBytes)) {
        clear(out, sizes.g1)
        return true
      }
      if (!readElement(out, input, at) || !readElement(out + sizes.fp, input, at + elementBytes)) return false
      copy(out + 2 * sizes.fp, one, sizes.fp)
      return lib.mclBnG1_isValid(out) === 1
    },
    readG2(out, input, at) {
      if (isAllZero(input, at, 4 * elementBytes)) {
        clear(out, sizes.g2)
        return true
      }
      if (!readPair(out, input, at) || !readPair(out + sizes.fp2, input, at + 2 * elementBytes)) return false
      copy(out + 2 * sizes.fp2, one, sizes.fp2)
      return lib.mclBnG2_isValid(out) === 1
    },
    writeG1(point) {
      const out = new Uint8Array(2 * elementBytes)
      if (lib.mclBnG1_isZero(point)) return out
      lib.mclBnG1_normalize(point, point)
      writeField(out, elementBytes, point)
      writeField(out, 2 * elementBytes, point + sizes.fp)
      return out
    },
    writeG2(point) {
      const out = new Uint8Array(4 * elementBytes)
      if (lib.mclBnG2_isZero(point)) return out
      lib.mclBnG2_normalize(point, point)
      for (const [i, coordinate] of [point, point + sizes.fp2].entries()) {
        writeField(out, (2 * i + 1) * elementBytes, coordinate + firstHalf)
        writeField(out, (2 * i + 2) * elementBytes, coordinate + sizes.fp - firstHalf)
      }
      return out
    },
  }
}
