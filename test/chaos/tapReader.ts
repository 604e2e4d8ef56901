import { closeSync, openSync, readSync } from 'node:fs'
import { createBftReader } from '../../src/consensus/bft/bftReader.ts'
import type { BftProtocol } from '../../src/consensus/bft/protocol.ts'
import { kindOf, readMessage } from '../../src/consensus/bft/readMessage.ts'
import { recoverSigner } from '../../src/consensus/recoverSeal.ts'
import { keccak256 } from '../../src/primitives/keccak.ts'
import { WireWords, wordsOfMessage } from '../support/wireWords.ts'

/** What validators have told the network, as `tapHooks.ts` writes it down, read while they go on. */
export interface TapReader {
  /** Reads what was written since; returns what contradicts anything that its author has said before. */
  read(): readonly string[]
  /** How many different messages, or blocks of Clique, there were. */
  count(): number
}

const chunk = 1 << 20

/** The whole lines of a file from an offset on, and where the first one that is not whole begins. */
function readLines(file: string, from: number, take: (line: string) => void): number {
  const opened = openSync(file, 'r')
  const bytes = Buffer.alloc(chunk)
  let [at, rest] = [from, '']
  try {
    for (let read = readSync(opened, bytes, 0, chunk, at); read > 0; read = readSync(opened, bytes, 0, chunk, at)) {
      at += read
      // Lines are of ASCII.
      const lines = (rest + bytes.toString('latin1', 0, read)).split('\n')
      rest = lines.pop()!
      for (const line of lines) take(line)
    }
    return at - rest.length
  } finally {
    closeSync(opened)
  }
}

/** Of Clique, which has no messages, blocks are read: then all files are of processes with one key. */
export function createTapReader(protocol: BftProtocol | undefined, files: readonly string[]): TapReader {
  const reader = protocol && createBftReader(protocol, { recover: recoverSigner })
  const offsets = new Map<string, number>()
  const seen = new Set<string>()
  const words = new WireWords()

  function take(line: string): void {
    const [code, data, end] = line.split(' ')
    // Without a space at its end it was being written when the process was killed: it was not sent.
    if (end === undefined || data === undefined) return
    const hash = Buffer.from(keccak256(Buffer.from(line))).toString('base64')
    if (seen.has(hash)) return
    if (protocol) {
      const kind = kindOf(protocol, Number(code))
      if (!kind) return
      const message = readMessage(protocol, kind, Buffer.from(data, 'base64'), reader!)
      for (const word of wordsOfMessage(message)) words.add(word)
    } else if (code === 'block') {
      const [parent, block] = data.split('-')
      words.add({ place: `block on ${parent}`, word: block! })
    } else return
    seen.add(hash)
  }

  return {
    read() {
      const before = words.contradictions.length
      for (const file of files) offsets.set(file, readLines(file, offsets.get(file) ?? 0, take))
      return words.contradictions.slice(before)
    },
    count: () => seen.size,
  }
}
