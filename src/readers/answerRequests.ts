import { Socket } from 'node:net'
import { createFrameReader, decodeToReader, encodeFromReader, type FromReader, type ToReader } from './frames.ts'
import type { ReaderReply } from './readers.ts'
import { longReply, writeReplyFile } from './replyFile.ts'

type Request = Exclude<ToReader, { kind: 'settings' }>

/** What a reader answers with. */
export interface Answering {
  answer(request: Request): ReaderReply | Promise<ReaderReply>
  /** Called when there is nothing to do. */
  rest(): void
  /** Folder of replies that are too long for the pipe. */
  readonly folder: string
}

/** Sends the node something besides replies. */
export type SendToNode = (message: Extract<FromReader, { kind: 'error' | 'printed' }>) => void

/** The file descriptor of the pipe to the node. */
const pipeFd = 3

/** Answers requests from the node, one at a time, until the node ends. */
export function answerRequests(open: (settings: unknown, sendToNode: SendToNode) => Answering): void {
  // The node decides when its readers end, also when a signal goes to the whole group.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  const pipe = new Socket({ fd: pipeFd })
  const requests: Request[] = []
  let answering: Answering | undefined
  let isBusy = false

  const send = (message: FromReader): boolean => pipe.write(encodeFromReader(message))

  async function work(): Promise<void> {
    if (isBusy) return
    isBusy = true
    for (let request = requests.shift(); request; request = requests.shift()) {
      const before = process.cpuUsage()
      const reply = answering!.answer(request)
      sendReply(request.id, reply instanceof Promise ? await reply : reply, before)
    }
    isBusy = false
    answering!.rest()
  }

  function sendReply(id: number, { status, body }: ReaderReply, before: NodeJS.CpuUsage): void {
    const [text, rest] = typeof body === 'string' ? [body, undefined] : takeText(body)
    if (!rest && text.length < longReply) send({ kind: 'reply', id, status, cost: costSince(before), text })
    else {
      const path = writeReplyFile(answering!.folder, rest ?? [text])
      send({ kind: 'file', id, status, cost: costSince(before), text: path })
    }
  }

  function handle(message: ToReader): void {
    if (message.kind === 'settings') {
      answering = open(message.settings, send)
      send({ kind: 'ready' })
    } else {
      requests.push(message)
      void work()
    }
  }

  pipe.on(
    'data',
    createFrameReader((frame) => handle(decodeToReader(frame))),
  )
  pipe.on('end', () => process.exit(0)).on('error', () => process.exit(0))
}

/** Microseconds of the CPU since then. */
function costSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return Math.min(user + system, 2 ** 32 - 1)
}

/** The text of a short reply; all pieces of a long one. */
function takeText(pieces: Iterable<string>): [text: string, all: Iterable<string> | undefined] {
  const iterator = pieces[Symbol.iterator]()
  let text = ''
  for (let piece = iterator.next(); !piece.done; piece = iterator.next()) {
    text += piece.value
    if (text.length >= longReply) return [text, joined(text, iterator)]
  }
  return [text, undefined]
}

function* joined(first: string, others: Iterator<string>): Generator<string> {
  yield first
  for (let piece = others.next(); !piece.done; piece = others.next()) yield piece.value
}
