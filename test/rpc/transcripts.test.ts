import { afterAll, beforeAll, expect, test } from 'vitest'
import { methods } from '../../src/rpc/methods/all.ts'
import { type Networks, openNetworks } from './transcripts/networks.ts'
import { perform, record } from './transcripts/perform.ts'
import { readTranscripts, remarkOf, type Transcript, transcribedMethods } from './transcripts/transcript.ts'

/** `1` writes the answers that are missing, `all` also those that differ. */
const recording = process.env.QUOIN_RECORD

const names = methods.map(({ name }) => name)
const transcripts = transcribedMethods().flatMap(readTranscripts)
const titled = transcripts.map((transcript) => [`${transcript.method}/${transcript.name}`, transcript] as const)

let networks: Networks

beforeAll(() => {
  networks = openNetworks()
})
afterAll(() => networks.stop())

/** Which of the two a case has an answer of to a request for a method. */
function kindsIn({ lines }: Transcript, method: string): ReadonlySet<'result' | 'error'> {
  const kinds = new Set<'result' | 'error'>()
  for (const [i, line] of lines.entries()) {
    const answer = lines[i + 1]
    if (line.kind !== 'request' || answer?.kind !== 'answer') continue
    if ((JSON.parse(line.text) as { method?: string }).method !== method) continue
    kinds.add('error' in (JSON.parse(answer.text) as object) ? 'error' : 'result')
  }
  return kinds
}

if (recording) test.each(titled)('%s is recorded', (_, transcript) => record(transcript, networks, recording === 'all'))
else {
  test.each(titled)('%s', (_, transcript) => perform(transcript, networks))

  test.each(names)('%s has a case with a result and one with an error', (name) => {
    // Names that differ in case alone share a folder: on some systems they have to.
    const cases = transcripts.filter(({ method }) => method.toLowerCase() === name.toLowerCase())
    for (const kind of ['result', 'error'] as const) {
      const has = cases.some((one) => kindsIn(one, name).has(kind))
      // A comment `no error: why` or `no result: why` says that there cannot be one.
      const excused = cases.some((one) => remarkOf(one, `no ${kind}`) !== undefined)
      expect(has !== excused, has ? `there is a ${kind}, so "no ${kind}" is wrong` : `no case with a ${kind}`).toBe(
        true,
      )
    }
  })

  test('there is no folder of a method that does not exist', () => {
    expect(transcribedMethods().filter((name) => !names.includes(name))).toEqual([])
  })
}
