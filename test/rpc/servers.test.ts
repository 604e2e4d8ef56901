import { afterAll, beforeAll, test } from 'vitest'
import { isWholeRun } from '../support/wholeRun.ts'
import { type Networks, openNetworks } from './transcripts/networks.ts'
import { nodeNameOf, perform } from './transcripts/perform.ts'
import { readTranscripts, remarkOf, transcribedMethods } from './transcripts/transcript.ts'

// Clients see no difference between servers in a thread of their own and those in the thread of the chain, which transcripts.test.ts asks.

const transcripts = transcribedMethods()
  // Their files are named by the time, which the thread of the servers takes from the system.
  .filter((name) => !name.startsWith('debug_standardTrace'))
  .flatMap(readTranscripts)
  // A node of their own for each would take minutes, and that thread does not go by the clock of a test.
  .filter((transcript) => remarkOf(transcript, 'node') !== 'fresh')
  // Each node starts a thread of its own.
  .filter((transcript) => isWholeRun || ['dev', 'prague'].includes(nodeNameOf(transcript)))
  .filter(({ lines }) => lines.every(({ kind }) => kind !== 'wait'))

let networks: Networks
beforeAll(() => {
  networks = openNetworks({ 'rpc-servers': '1' })
})
afterAll(() => networks.stop())

test.each(transcripts.map((one) => [`${one.method}/${one.name}`, one] as const))('%s', (_, transcript) =>
  perform(transcript, networks),
)
