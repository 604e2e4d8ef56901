import { afterAll, beforeAll, test } from 'vitest'
import { type Networks, startNetworks } from './transcripts/networks.ts'
import { perform } from './transcripts/perform.ts'
import { readTranscripts, remarkOf, transcribedMethods } from './transcripts/transcript.ts'

// Clients see no difference between servers in a thread of their own and those in the thread of the chain, which transcripts.test.ts asks.

const transcripts = transcribedMethods()
  // Their files are named by the time, which the thread of the servers takes from the system.
  .filter((name) => !name.startsWith('debug_standardTrace'))
  .flatMap(readTranscripts)
  // A node of their own for each would take minutes, and that thread does not go by the clock of a test.
  .filter((transcript) => remarkOf(transcript, 'node') !== 'fresh')
  .filter(({ lines }) => lines.every(({ kind }) => kind !== 'wait'))

let networks: Networks
beforeAll(async () => {
  networks = await startNetworks({ 'rpc-servers': '1' })
})
afterAll(() => networks.stop())

test.each(transcripts.map((one) => [`${one.method}/${one.name}`, one] as const))('%s', (_, transcript) =>
  perform(transcript, networks),
)
