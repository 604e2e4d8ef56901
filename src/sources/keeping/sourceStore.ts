import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { makeFolder } from '../../system/makeFolder.ts'
import { writeFileAtomically } from '../../system/writeFileAtomically.ts'
import { SourceError } from '../fault.ts'
import type { ContractDetails, ContractSummary, GivenAbi, VerifiedContract } from './verifiedContract.ts'

// A file for each contract, written at once: `0x….verified` has its summary and its ABI as lines, and then, compressed, all else;
// `0x….abi` an ABI that somebody has given. Whoever backs up the folder while it is written to has each file as a whole.

/** How much is kept. */
export interface StoreLimits {
  /** Bytes of one contract, and of all. */
  readonly contract: number
  readonly all: number
}

/** What is known of contracts: on disk, and an index of it in memory. */
export interface SourceStore {
  summary(address: string): ContractSummary | undefined
  /** All of them, oldest first. */
  summaries(): Iterable<ContractSummary>
  isEmpty(): boolean
  /** Contracts whose code had this hash, oldest first. */
  withCode(codeHash: string): readonly ContractSummary[]
  abi(address: string): Promise<readonly unknown[] | undefined>
  contract(address: string): Promise<VerifiedContract | undefined>
  given(address: string): Promise<GivenAbi | undefined>
  /** Keeps a contract, in the place of what was known of it. Throws STORAGE_FULL. */
  put(
    contract: Omit<VerifiedContract, 'summary'> & { readonly summary: Omit<ContractSummary, 'matchId'> },
  ): ContractSummary
  putGiven(given: GivenAbi): void
  removeGiven(address: string): void
}

const kinds = { verified: '.verified', given: '.abi' } as const
const namePattern = /^0x[0-9a-f]{40}\.(verified|abi)$/
/** Bytes of the line with the summary, at most. */
const summaryLength = 4096

class SourceFiles implements SourceStore {
  private readonly folder: string
  private readonly limits: StoreLimits
  private readonly index = new Map<string, ContractSummary>()
  private readonly sizes = new Map<string, number>()
  private total = 0
  private lastId = 0

  constructor(folder: string, limits: StoreLimits) {
    this.folder = folder
    this.limits = limits
  }

  /** Reads the summaries; what cannot be read is not there. */
  async load(): Promise<void> {
    if (!existsSync(this.folder)) return
    const found: ContractSummary[] = []
    for (const name of readdirSync(this.folder)) {
      const path = join(this.folder, name)
      // Whoever wrote it has not come to its end.
      if (name.endsWith('.tmp')) rmSync(path, { force: true })
      if (!namePattern.test(name)) continue
      this.setSize(name, statSync(path).size)
      const summary = name.endsWith(kinds.verified) ? await readSummary(path) : undefined
      if (summary) found.push(summary)
    }
    for (const one of found.sort((a, b) => a.matchId - b.matchId)) this.index.set(one.address, one)
    this.lastId = found.at(-1)?.matchId ?? 0
  }

  private setSize(name: string, size: number): void {
    this.total += size - (this.sizes.get(name) ?? 0)
    this.sizes.set(name, size)
  }

  private write(name: string, bytes: Buffer): void {
    const { contract, all } = this.limits
    if (bytes.length > contract)
      throw new SourceError({ code: 'storage_full', reason: 'These sources are too long to be kept.' })
    if (this.total - (this.sizes.get(name) ?? 0) + bytes.length > all)
      throw new SourceError({ code: 'storage_full', reason: 'There is no room left for sources on this node.' })
    makeFolder(this.folder, 0o700)
    writeFileAtomically(join(this.folder, name), bytes, 0o600)
    this.setSize(name, bytes.length)
  }

  private async read(name: string): Promise<Buffer | undefined> {
    return this.sizes.has(name) ? readFile(join(this.folder, name)) : undefined
  }

  readonly summary: SourceStore['summary'] = (address) => this.index.get(address)

  readonly summaries: SourceStore['summaries'] = () => this.index.values()

  readonly isEmpty: SourceStore['isEmpty'] = () => this.index.size === 0

  readonly withCode: SourceStore['withCode'] = (hash) =>
    [...this.index.values()].filter(({ codeHash }) => codeHash === hash)

  readonly abi: SourceStore['abi'] = async (address) => {
    const bytes = await this.read(address + kinds.verified)
    return bytes && (JSON.parse(linesOf(bytes)[1]) as readonly unknown[])
  }

  readonly contract: SourceStore['contract'] = async (address) => {
    const bytes = await this.read(address + kinds.verified)
    if (!bytes) return undefined
    const [summary, , rest] = linesOf(bytes)
    return {
      summary: JSON.parse(summary) as ContractSummary,
      details: JSON.parse(gunzipSync(rest).toString()) as ContractDetails,
    }
  }

  readonly given: SourceStore['given'] = async (address) => {
    const bytes = await this.read(address + kinds.given)
    return bytes && (JSON.parse(bytes.toString()) as GivenAbi)
  }

  readonly put: SourceStore['put'] = ({ summary, details }) => {
    const whole: ContractSummary = { ...summary, matchId: this.lastId + 1 }
    const lines = `${JSON.stringify(whole)}\n${JSON.stringify(details.compiled.abi)}\n`
    this.write(
      summary.address + kinds.verified,
      Buffer.concat([Buffer.from(lines), gzipSync(JSON.stringify(details), { level: 6 })]),
    )
    this.lastId = whole.matchId
    // Anew, so that the last one is the last.
    this.index.delete(whole.address)
    this.index.set(whole.address, whole)
    return whole
  }

  readonly putGiven: SourceStore['putGiven'] = (given) =>
    this.write(given.address + kinds.given, Buffer.from(JSON.stringify(given)))

  readonly removeGiven: SourceStore['removeGiven'] = (address) => {
    const name = address + kinds.given
    if (!this.sizes.has(name)) return
    rmSync(join(this.folder, name), { force: true })
    this.setSize(name, 0)
    this.sizes.delete(name)
  }
}

/** Opens what is kept in a folder, which is made when something is. */
export async function openSourceStore(folder: string, limits: StoreLimits): Promise<SourceStore> {
  const files = new SourceFiles(folder, limits)
  await files.load()
  return files
}

/** The lines at the beginning of a file, and what follows. */
function linesOf(bytes: Buffer): readonly [summary: string, abi: string, rest: Buffer] {
  const first = bytes.indexOf(10)
  const second = bytes.indexOf(10, first + 1)
  return [bytes.toString('utf8', 0, first), bytes.toString('utf8', first + 1, second), bytes.subarray(second + 1)]
}

async function readSummary(path: string): Promise<ContractSummary | undefined> {
  try {
    const file = await open(path)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(summaryLength), 0, summaryLength, 0)
      return JSON.parse(linesOf(buffer.subarray(0, bytesRead))[0]) as ContractSummary
    } finally {
      await file.close()
    }
  } catch {
    return undefined
  }
}
