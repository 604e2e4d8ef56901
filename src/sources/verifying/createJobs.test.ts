import { expect, test } from 'vitest'
import { SourceError } from '../fault.ts'
import type { ContractSummary } from '../keeping/verifiedContract.ts'
import { createJobs } from './createJobs.ts'
import type { Submission, Verification } from './verifyContract.ts'

const address = (number: number) => `0x${number.toString(16).padStart(40, '0')}`

const submission = (number: number, client = 'one', content = ''): Submission => ({
  ...{ address: address(number), client, version: { numbers: '0.8.30', commit: '73712a01' } },
  input: { language: 'Solidity', sources: { a: { content } }, settings: {} },
  target: { path: 'a', name: 'C' },
})

type Matches = Partial<Pick<ContractSummary, 'runtimeMatch' | 'creationMatch' | 'codeHash'>>

/** Jobs whose outcome the test decides, in the order in which they began. */
function makeJobs() {
  const kept = new Map<string, ContractSummary>()
  const ends: { resolve(found: Verification): void; reject(error: unknown): void }[] = []
  const internal: unknown[] = []
  const jobs = createJobs({
    store: {
      summary: (at) => kept.get(at),
      put({ summary }) {
        const whole = { ...summary, matchId: kept.size + 1 }
        kept.set(summary.address, whole)
        return whole
      },
    },
    verify: () => new Promise((resolve, reject) => ends.push({ resolve, reject })),
    now: () => 0,
    onVerified() {},
    onInternalError: (error) => internal.push(error),
  })
  /** Ends the oldest job that runs. */
  async function end(outcome: Matches | Error, number = 1): Promise<void> {
    await new Promise((done) => setImmediate(done))
    const { resolve, reject } = ends.shift()!
    if (outcome instanceof Error) reject(outcome)
    else
      resolve({
        summary: {
          ...{ address: address(number), chainId: '1', name: 'C', codeHash: '0x01' },
          ...{ runtimeMatch: 'match', creationMatch: null },
          ...outcome,
        },
      } as Verification)
    await new Promise((done) => setImmediate(done))
  }
  return { jobs, end, internal, waiting: () => ends.length }
}

test('a contract is verified once at a time', async () => {
  const { jobs, end } = makeJobs()
  const id = jobs.start(submission(1))
  expect(jobs.get(id)).not.toHaveProperty('finished')
  expect(() => jobs.start(submission(1, 'another'))).toThrow('already being verified')
  await end({})
  expect(jobs.get(id)).toMatchObject({ finished: expect.any(String), contract: { matchId: 1 } })
  jobs.start(submission(1))
})

test('of two results the better one is kept, unless the code is another one', async () => {
  const { jobs, end } = makeJobs()
  const run = async (outcome: Matches) => {
    const id = jobs.start(submission(1))
    await end(outcome)
    return jobs.get(id).error?.at.code ?? jobs.get(id).contract?.runtimeMatch
  }
  expect(await run({ runtimeMatch: 'match' })).toBe('match')
  expect(await run({ runtimeMatch: 'match' })).toBe('already_verified')
  expect(await run({ runtimeMatch: 'exact_match' })).toBe('exact_match')
  expect(await run({ runtimeMatch: 'match' })).toBe('already_verified')
  expect(await run({ runtimeMatch: 'match', codeHash: '0x02' })).toBe('match')
})

test('one client may not keep all others waiting, nor all of them fill the memory', async () => {
  const { jobs, end, waiting } = makeJobs()
  for (let i = 0; i < 10; i++) jobs.start(submission(i))
  expect(() => jobs.start(submission(10))).toThrow('You have 10 contracts waiting')
  jobs.start(submission(10, 'another'))
  const long = 'x'.repeat(20 << 20)
  jobs.start(submission(11, 'another', long))
  jobs.start(submission(12, 'another', long))
  expect(() => jobs.start(submission(13, 'another', long))).toThrow('Too many contracts wait')
  await new Promise((done) => setImmediate(done))
  expect(waiting()).toBe(13)
  await end(new SourceError({ code: 'no_match' }))
  jobs.start(submission(14))
})

test('what nobody foresaw is told in the log and not to clients', async () => {
  const { jobs, end, internal } = makeJobs()
  const id = jobs.start(submission(1))
  await end(new TypeError('a path of this machine'))
  expect(jobs.get(id).error?.message).toBe('The server encountered an unexpected error.')
  expect(internal).toHaveLength(1)
  expect(() => jobs.get('none')).toThrow('No verification job')
})
