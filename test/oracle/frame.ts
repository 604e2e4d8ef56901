import { emptyBytes } from '../../src/primitives/bytes.ts'
import { Halt } from './halt.ts'
import { sliceOf, wordsIn } from './words.ts'

export interface FrameResult {
  readonly status: 'success' | 'revert' | 'halt'
  readonly gasLeft: bigint
  readonly output: Uint8Array
}

/** What a frame is started with. */
export interface FrameStart {
  readonly depth: number
  /** The account whose storage and balance the code works on. */
  readonly address: bigint
  readonly caller: bigint
  readonly value: bigint
  readonly input: Uint8Array
  readonly code: Uint8Array
  readonly isStatic: boolean
  readonly gas: bigint
  /** Called once, when the frame has ended and is off the stack of frames. */
  readonly finish: (result: FrameResult) => void
}

/** Bytes of memory that the frames of a transaction may have together. */
const memoryLimit = 768n << 20n

/** A call or a creation under way. */
export interface Frame extends ReturnType<typeof createFrame> {}

/** `callers` are the frames that wait for it. */
export function createFrame(start: FrameStart, callers: readonly Frame[]) {
  const callersMemory = callers.reduce((sum, frame) => sum + BigInt(frame.memorySize()), 0n)
  const stack: bigint[] = []
  let memory = new Uint8Array(0)
  let jumpDests: ReadonlySet<number> | undefined

  return {
    ...start,
    pc: 0,
    stack,
    returnData: emptyBytes as Uint8Array,

    push: (word: bigint) => void stack.push(word),
    /** The machine has checked that there are enough words. */
    pop: () => stack.pop()!,

    charge(gas: bigint): void {
      if (gas > this.gas) throw new Halt('out of gas')
      this.gas -= gas
    },

    memorySize: () => memory.length,
    /** Pays for memory up to the end of the range; a range without bytes needs none. */
    expand(offset: bigint, size: bigint): void {
      if (size === 0n) return
      const end = offset + size
      const words = wordsIn(end)
      const before = BigInt(memory.length) / 32n
      if (words <= before) return
      this.charge(memoryCost(words) - memoryCost(before))
      if (callersMemory + words * 32n > memoryLimit) throw new Halt('out of gas')
      const larger = new Uint8Array(Number(words) * 32)
      larger.set(memory)
      memory = larger
    },
    /** A copy of memory that has been paid for. */
    read: (offset: bigint, size: bigint) => (size === 0n ? emptyBytes : sliceOf(memory, offset, size)),
    /** Writes into memory that has been paid for. */
    write(offset: bigint, bytes: Uint8Array): void {
      if (bytes.length > 0) memory.set(bytes, Number(offset))
    },

    isJumpDest(target: bigint): boolean {
      jumpDests ??= jumpDestsOf(start.code)
      return target < BigInt(start.code.length) && jumpDests.has(Number(target))
    },
  }
}

function memoryCost(words: bigint): bigint {
  return 3n * words + (words * words) / 512n
}

/** Positions of JUMPDEST that are not inside the data of a PUSH. */
function jumpDestsOf(code: Uint8Array): ReadonlySet<number> {
  const found = new Set<number>()
  for (let pc = 0; pc < code.length; pc++) {
    const byte = code[pc]!
    if (byte === 0x5b) found.add(pc)
    if (byte >= 0x60 && byte <= 0x7f) pc += byte - 0x5f
  }
  return found
}
