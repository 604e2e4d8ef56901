/** A parameter as an ABI has it. */
export interface AbiInput {
  readonly type: string
  readonly components?: readonly AbiInput[]
}

const word = 32
/** Levels of arrays and tuples in each other; no contract that people write has more. */
const maxDepth = 32
const ones = (1n << 256n) - 1n

interface ArrayType {
  readonly item: AbiInput
  /** Undefined if the data says how many there are. */
  readonly count: number | undefined
}

function arrayOf({ type, components }: AbiInput): ArrayType | undefined {
  const [, item, count] = /^(.*)\[([0-9]*)\]$/.exec(type) ?? []
  if (item === undefined) return undefined
  return { item: { type: item, ...(components && { components }) }, count: count === '' ? undefined : Number(count) }
}

/** Whether a type is nested so deeply that walking through it would take long. */
function isTooDeep({ type, components = [] }: AbiInput, depth = 0): boolean {
  const level = depth + type.split('[').length
  return level > maxDepth || components.some((one) => isTooDeep(one, level))
}

function isDynamic(input: AbiInput): boolean {
  const array = arrayOf(input)
  if (array) return array.count === undefined || isDynamic(array.item)
  if (input.type === 'tuple') return (input.components ?? []).some(isDynamic)
  return input.type === 'bytes' || input.type === 'string'
}

/** Bytes of a value at its own place; for a dynamic one those of the reference to it. */
function headSize(input: AbiInput): number {
  if (isDynamic(input)) return word
  const array = arrayOf(input)
  if (array) return array.count! * headSize(array.item)
  return input.type === 'tuple' ? sum((input.components ?? []).map(headSize)) : word
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

class NotEncoded extends Error {}

/** Walks through data that has to be exactly what encoding values of these types gives. */
class EncodedData {
  private readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  private word(at: number): bigint {
    if (at + word > this.bytes.length) throw new NotEncoded()
    return BigInt(`0x${this.bytes.toString('hex', at, at + word)}`)
  }

  private size(at: number): number {
    const size = this.word(at)
    if (size > BigInt(this.bytes.length)) throw new NotEncoded()
    return Number(size)
  }

  /** Bytes that values take together, one after the other. */
  sizeOfAll(inputs: readonly AbiInput[], base: number): number {
    let head = base
    let end = this.endOf(base, sum(inputs.map(headSize)))
    for (const input of inputs) {
      if (isDynamic(input)) {
        if (this.word(head) !== BigInt(end - base)) throw new NotEncoded()
        end += this.sizeOfDynamic(input, end)
      } else this.checkStatic(input, head)
      head += headSize(input)
    }
    return end - base
  }

  /** The same of so many values of one type, of which a type may name more than there is memory for. */
  private sizeOfItems(item: AbiInput, count: number, base: number): number {
    this.endOf(base, count * headSize(item))
    return this.sizeOfAll(Array(count).fill(item), base)
  }

  private endOf(base: number, size: number): number {
    if (base + size > this.bytes.length) throw new NotEncoded()
    return base + size
  }

  private sizeOfDynamic(input: AbiInput, at: number): number {
    const array = arrayOf(input)
    if (array?.count !== undefined) return this.sizeOfItems(array.item, array.count, at)
    if (input.type === 'tuple') return this.sizeOfAll(input.components ?? [], at)
    const size = this.size(at)
    if (array) return word + this.sizeOfItems(array.item, size, at + word)
    const padded = Math.ceil(size / word) * word
    const start = at + word
    if (start + padded > this.bytes.length) throw new NotEncoded()
    if (this.bytes.subarray(start + size, start + padded).some((byte) => byte !== 0)) throw new NotEncoded()
    return word + padded
  }

  private checkStatic(input: AbiInput, at: number): void {
    const array = arrayOf(input)
    if (array) this.sizeOfItems(array.item, array.count!, at)
    else if (input.type === 'tuple') this.sizeOfAll(input.components ?? [], at)
    else if (!fits(input.type, this.word(at))) throw new NotEncoded()
  }
}

/** Whether a word holds a value of the type. */
function fits(type: string, value: bigint): boolean {
  if (type === 'bool') return value < 2n
  if (type === 'address') return value < 1n << 160n
  const [, kind, digits] = /^(u?int|bytes|function)([0-9]*)$/.exec(type) ?? []
  if (kind === 'uint') return value < 1n << BigInt(digits || 256)
  if (kind === 'int') {
    const bits = BigInt(digits || 256)
    return value < 1n << (bits - 1n) || value > ones - (1n << (bits - 1n))
  }
  if (kind === undefined) return false
  const bytes = kind === 'function' ? 24 : Number(digits)
  return (value & (ones >> BigInt(8 * bytes))) === 0n
}

/** Whether data is what encoding values of these types gives, without anything before, between or behind. */
export function areEncoded(inputs: readonly AbiInput[], data: Uint8Array): boolean {
  if (inputs.some((input) => isTooDeep(input))) return false
  try {
    return new EncodedData(Buffer.from(data)).sizeOfAll(inputs, 0) === data.length
  } catch (error) {
    if (error instanceof NotEncoded) return false
    throw error
  }
}
