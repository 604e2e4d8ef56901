import { workerUrl } from '../../primitives/packageRoot.ts'
import { createReaders } from '../../readers/createReaders.ts'
import { ReaderError } from '../../readers/fault.ts'
import { startReaderProcess } from '../../readers/readerProcess.ts'
import type { TimedReply } from '../../readers/readers.ts'
import { clearReplyFiles } from '../../readers/replyFile.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import { SourceError, type SourceFault } from '../fault.ts'
import type { CompiledContract } from '../matching/compiled.ts'
import { type CompileRequest, type CompilerSettings, type CompilingLimits, compileStatus } from './compileRequest.ts'
import type { Compiler, Compilers } from './compilers.ts'
import { type SolcVersion, versionText } from './solcVersion.ts'
import type { StandardJson, Target } from './standardJson.ts'

export interface CompilingParts {
  readonly compilers: Compilers
  readonly limits: CompilingLimits
  /** Of answers that are too long for the pipe. */
  readonly folder: string
  readonly clock: Pick<Clock, 'after'>
  readonly log: Logger
}

/** Sources to compile, and for whom. */
export interface Compilation {
  readonly version: SolcVersion
  readonly input: StandardJson
  readonly target: Target
  /** Who asks: those with less at work go first. */
  readonly client: string
  /** Only compilers of this kind. */
  readonly kind?: Compiler['kind']
}

/** Compiles contracts in another process, one at a time. */
export interface Compiling {
  /** Rejects with a SourceError. */
  compile(compilation: Compilation): Promise<CompiledContract>
  stop(): void
}

/** Milliseconds that a request may wait for its turn. */
const waitTime = 60 * 60_000

export function createCompiling({ compilers, limits, folder, clock, log }: CompilingParts): Compiling {
  const settings: CompilerSettings = { limits, folder }
  clearReplyFiles(folder)
  const processes = createReaders(
    // A contract is compiled twice at most; the process itself ends what takes longer, so that this is the last resort.
    { max: 1, callTime: 30 * limits.time, minTime: 0 },
    {
      clock,
      now: () => performance.now(),
      heads: () => 0,
      start: (listener) => startReaderProcess(workerUrl('sources/compiling/compilerWorker.ts'), settings, listener),
      onLost: ({ pid, how }) => log.warn({ pid, how }, 'process {pid}, which compiles sources, ended by {how}'),
      onInternalError: (error) => log.error({ error }, 'internal error'),
      onPrinted: () => {},
    },
  )

  async function ask(compiler: Compiler, { version, input, target, client }: Compilation): Promise<TimedReply> {
    const request: CompileRequest = { compiler, version, input, target }
    try {
      return await processes.ask({
        ...{ kind: 'compile', text: JSON.stringify(request), method: 'compile' },
        ...{ client, time: waitTime },
      })
    } catch (error) {
      if (error instanceof ReaderError) throw faultOf(error)
      throw error
    }
  }

  return {
    async compile(compilation) {
      const { version, kind } = compilation
      for (const compiler of compilers.of(version)) {
        if (kind !== undefined && compiler.kind !== kind) continue
        const { status, body } = await ask(compiler, compilation)
        const text = typeof body === 'string' ? body : [...body].join('')
        if (status === compileStatus.done) return JSON.parse(text) as CompiledContract
        if (status === compileStatus.refused) throw new SourceError(JSON.parse(text) as SourceFault)
        if (status === compileStatus.failed) throw new SourceError({ code: 'internal_error' })
      }
      const have = [...new Set(compilers.list().map((one) => versionText(one.version)))]
      throw new SourceError({ code: 'unsupported_compiler_version', version: versionText(version), have })
    },
    stop() {
      processes.stop()
      clearReplyFiles(folder)
    },
  }
}

function faultOf(error: ReaderError): SourceError {
  const { code } = error.at
  if (code === 'QUEUE_FULL')
    return new SourceError({ code: 'too_many_requests', reason: 'Too many contracts wait to be verified.' }, error)
  if (code === 'TIME_LIMIT') return new SourceError({ code: 'compiler_ended', how: 'it took too long' }, error)
  return new SourceError({ code: 'compiler_ended', how: 'its process ended' }, error)
}
