import { createVectorPool, type Emitter, keep, wasm } from './emitter.ts'
import { knownWord, type Limbs, limbsOf } from './limbs.ts'

/** A word of the EVM's stack: in locals, in memory at a position of the stack, or both. */
export interface Word {
  limbs?: Limbs
  position?: number
}

/** The deepest position below the one at which the stack ended when the trace began. */
export const minPosition = -64
export const wordBytes = 32

/**
 * The EVM's stack while a trace is compiled. Positions count from where the stack ended when the trace began. Words are
 * written to memory only where something outside the trace looks at them.
 */
export interface WordStack {
  /** How many words the trace needs below its start, and by how many the stack grew. */
  readonly needs: number
  readonly grows: number
  /** Position after the last word. */
  readonly top: number
  /** Takes note that the stack ends at a position later in the trace. */
  expect(position: number): void
  /** Whether `count` words can be taken from it. */
  canTake(count: number): boolean
  pop(): Word
  popLimbs(): Limbs
  push(word: Word): void
  pushLimbs(limbs: Limbs): void
  pushKnown(value: bigint): void
  duplicate(n: number): void
  exchange(n: number): void
  limbsOf(word: Word): Limbs
  /** Puts half a word, as a vector, on WebAssembly's stack. */
  pushHalf(word: Word, half: 0 | 1): void
  /** Writes the upper `count` words to where they belong in memory, of which `results` will be overwritten there. */
  spill(count: number, results: number): void
  /** Removes the upper words; memory has `results` new ones at the place of the lowest. */
  replace(count: number, results: number): void
  /** Writes all words to where they belong, and changes nothing that is known about them: the trace ends here. */
  flush(): void
  /** Writes all words, at least `count`, to where they belong, and takes them from there when the trace goes on. */
  settle(count: number): void
  /** Puts the address of a position on WebAssembly's stack. */
  pushAddress(position: number): void
}

/** Creates the stack; `base` is the local with the address of `minPosition`. `onWrite` hears of known words that are written. */
export function createWordStack(emitter: Emitter, base: number, onWrite: (word: bigint) => void): WordStack {
  const words: Word[] = []
  let floor = 0
  let lowest = 0
  let highest = 0
  const vectors = createVectorPool(emitter)
  const { emit, get } = emitter

  const offsetOf = (position: number) => (position - minPosition) * wordBytes
  const top = () => floor + words.length

  function reach(count: number): void {
    while (words.length < count) words.unshift({ position: --floor })
  }

  function limbsIn(word: Word): Limbs {
    if (word.limbs) return word.limbs
    const at = offsetOf(word.position!)
    const load = (i: number) => {
      get(base)
      emitter.loadI64(at + 8 * i)
      return keep(emitter)
    }
    word.limbs = [load(0), load(1), load(2), load(3)]
    return word.limbs
  }

  /** Makes the lowest `count` words, but one, independent of memory at a position, which will be overwritten. */
  function release(position: number, count: number, but?: Word): void {
    for (const word of words.slice(0, count)) {
      if (word === but || word.position !== position) continue
      limbsIn(word)
      delete word.position
    }
  }

  function pushHalf(word: Word, half: 0 | 1): void {
    const { limbs } = word
    if (!limbs) {
      get(base)
      emitter.loadV128(offsetOf(word.position!) + 16 * half)
      return
    }
    const [low, high] = [limbs[2 * half]!, limbs[2 * half + 1]!]
    if (typeof low === 'bigint' && typeof high === 'bigint') {
      emitter.constV128(low, high)
      return
    }
    pushLimb(low)
    emit(wasm.i64x2Splat)
    pushLimb(high)
    emit(wasm.i64x2ReplaceHigh)
  }

  function pushLimb(limb: bigint | number): void {
    if (typeof limb === 'bigint') emitter.constI64(limb)
    else get(limb)
  }

  function storeLimbs(limbs: Limbs, position: number): void {
    const at = offsetOf(position)
    const known = knownWord(limbs)
    if (known !== undefined) onWrite(known)
    for (const half of [0, 1] as const) {
      const [low, high] = [limbs[2 * half]!, limbs[2 * half + 1]!]
      get(base)
      if (low === 0n && high === 0n) {
        emitter.constZeroV128()
        emitter.storeV128(at + 16 * half)
        continue
      }
      pushLimb(low)
      emitter.storeI64(at + 16 * half)
      get(base)
      pushLimb(high)
      emitter.storeI64(at + 16 * half + 8)
    }
  }

  /** Writes words to positions, all of them read before the first is written. */
  function writeAll(moves: readonly { word: Word; position: number }[]): void {
    const copies = moves.filter(({ word }) => !word.limbs)
    for (const [i, { word }] of copies.entries()) {
      for (const half of [0, 1] as const) {
        pushHalf(word, half)
        emitter.set(vectors(2 * i + half))
      }
    }
    for (const [i, { position }] of copies.entries()) {
      for (const half of [0, 1]) {
        get(base)
        get(vectors(2 * i + half))
        emitter.storeV128(offsetOf(position) + 16 * half)
      }
    }
    for (const { word, position } of moves) if (word.limbs) storeLimbs(word.limbs, position)
  }

  function flush(): void {
    writeAll(words.flatMap((word, i) => (word.position === floor + i ? [] : [{ word, position: floor + i }])))
  }

  function expect(position: number): void {
    lowest = Math.min(lowest, position)
    highest = Math.max(highest, position)
  }

  function pop(): Word {
    reach(1)
    return words.pop()!
  }

  function push(word: Word): void {
    words.push(word)
    expect(top())
  }

  return {
    get needs() {
      return -Math.min(floor, lowest)
    },
    get grows() {
      return highest
    },
    get top() {
      return top()
    },
    expect,
    canTake: (count) => top() - count >= minPosition,
    pop,
    popLimbs: () => limbsIn(pop()),
    push,
    pushLimbs: (limbs) => push({ limbs }),
    pushKnown: (value) => push({ limbs: limbsOf(value) }),
    duplicate(n) {
      reach(n)
      push(words.at(-n)!)
    },
    exchange(n) {
      reach(n + 1)
      const [upper, lower] = [words.length - 1, words.length - 1 - n]
      ;[words[upper], words[lower]] = [words[lower]!, words[upper]!]
    },
    limbsOf: limbsIn,
    pushHalf,
    spill(count, results) {
      reach(count)
      for (let i = words.length - count; i < words.length; i++) {
        const word = words[i]!
        const position = floor + i
        if (word.position === position) continue
        release(position, words.length, word)
        writeAll([{ word, position }])
        word.position = position
      }
      for (let i = 0; i < results; i++) release(top() - count + i, words.length - count)
    },
    replace(count, results) {
      words.length -= count
      for (let i = 0; i < results; i++) push({ position: top() })
    },
    flush,
    settle(count) {
      reach(count)
      flush()
      for (let i = 0; i < words.length; i++) words[i] = { position: floor + i }
    },
    pushAddress(position) {
      get(base)
      emitter.constI32(offsetOf(position))
      emit(wasm.i32Add)
    },
  }
}
