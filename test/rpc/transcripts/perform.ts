import { writeFileSync } from 'node:fs'
import { expect } from 'vitest'
import { namespaceOf } from '../../../src/rpc/protocol/method.ts'
import { type Conversation, type Message, talkOverHttp, talkOverWs } from './conversation.ts'
import type { Networks } from './networks.ts'
import { fillRequest, matchAnswer } from './placeholders.ts'
import { formatTranscript, type Line, remarkOf, type Transcript } from './transcript.ts'

interface Answer {
  readonly error?: { readonly code: number }
}

/** Errors that make an HTTP request a bad one. */
const badRequests = [-32700, -32600]

const engines = ['CLIQUE', 'IBFT', 'QBFT']

/** The node that a case is for: the one it names, else that of the engine which the method belongs to, else `dev`. */
export function nodeNameOf(transcript: Transcript): string {
  const namespace = namespaceOf(transcript.method)
  return remarkOf(transcript, 'node') ?? (engines.includes(namespace) ? namespace.toLowerCase() : 'dev')
}

/** A conversation with the node of a case. */
interface Session {
  readonly talk: Conversation
  /** Lets time pass: only on a node that no other case shares. */
  wait(milliseconds: number): void
  close(): Promise<void>
}

async function openSession(transcript: Transcript, networks: Networks): Promise<Session> {
  const name = nodeNameOf(transcript)
  const fresh = name === 'fresh' ? await networks.fresh() : undefined
  const node = fresh?.node ?? (await networks.shared(name))
  const talk = remarkOf(transcript, 'over') === 'ws' ? await talkOverWs(node) : talkOverHttp(node)
  return {
    talk,
    wait(milliseconds) {
      if (!fresh) throw new Error('time passes on a fresh node only: the others are shared')
      fresh.clock.run(milliseconds)
    },
    async close() {
      talk.close()
      await fresh?.node.stop()
    },
  }
}

function checkAnswer({ text, status }: Message, expected: string): ReadonlyMap<string, string> {
  const { error } = JSON.parse(text) as Answer
  if (status !== undefined) expect(status, text).toBe(error && badRequests.includes(error.code) ? 400 : 200)
  const values = matchAnswer(text, expected)
  if (values) return values
  // Objects first: their differences are easier to read than those of long lines.
  expect(JSON.parse(text)).toEqual(JSON.parse(expected))
  expect(text).toBe(expected)
  throw new Error(`the answer does not match: ${text}`)
}

/** Holds a case against a node: each answer is the text that is expected. */
export async function perform(transcript: Transcript, networks: Networks): Promise<void> {
  const { talk, wait, close } = await openSession(transcript, networks)
  const values = new Map<string, string>()
  try {
    for (const line of transcript.lines) {
      if (line.kind === 'request') talk.send(fillRequest(line.text, values))
      else if (line.kind === 'wait') wait(line.milliseconds)
      else if (line.kind === 'answer')
        for (const [name, value] of checkAnswer(await talk.next(), line.text)) values.set(name, value)
    }
  } finally {
    await close()
  }
}

/** Writes the answers that are missing into the file; with `anew` also those that differ from what the file has. */
export async function record(transcript: Transcript, networks: Networks, anew: boolean): Promise<void> {
  const { talk, wait, close } = await openSession(transcript, networks)
  const values = new Map<string, string>()
  const written: Line[] = []

  /** What the node says next, or the line of the file where that is to stay. */
  async function answer(old: string): Promise<void> {
    const { text } = await talk.next()
    const match = matchAnswer(text, old)
    for (const [name, value] of match ?? []) values.set(name, value)
    const stays = match !== undefined || (old !== '' && !anew)
    written.push({ kind: 'answer', text: stays ? old : text })
  }

  for (const [i, line] of transcript.lines.entries()) {
    if (line.kind === 'answer') {
      await answer(line.text)
      continue
    }
    written.push(line)
    if (line.kind === 'wait') wait(line.milliseconds)
    if (line.kind !== 'request') continue
    talk.send(fillRequest(line.text, values))
    if (transcript.lines[i + 1]?.kind !== 'answer') await answer('')
  }
  await close()
  writeFileSync(transcript.path, formatTranscript(written))
}
