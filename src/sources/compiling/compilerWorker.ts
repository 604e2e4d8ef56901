import { type Answering, answerRequests, type SendToNode } from '../../readers/answerRequests.ts'
import type { ReaderReply } from '../../readers/readers.ts'
import { SourceError } from '../fault.ts'
import { compileContract } from './compileContract.ts'
import { type CompileRequest, type CompilerSettings, type CompilingLimits, compileStatus } from './compileRequest.ts'
import { runCompiler } from './runCompiler.ts'
import { parseVersion } from './solcVersion.ts'

// The process in which compilers run: what strangers send may keep them busy for ever, take all memory or end them.

async function compile(
  { compiler, version, input, target }: CompileRequest,
  limits: CompilingLimits,
): Promise<ReaderReply> {
  const run = async (text: string) => {
    const { version: have, output } = await runCompiler(compiler, text, limits)
    const parsed = parseVersion(have)
    if (parsed?.numbers !== version.numbers || parsed.commit !== version.commit) throw new OtherCompiler()
    return output
  }
  const body = JSON.stringify(await compileContract(input, target, run))
  if (body.length > limits.answer)
    throw new SourceError({ code: 'compiled_too_long', characters: body.length, max: limits.answer })
  return { status: compileStatus.done, body }
}

class OtherCompiler extends Error {}

function open({ limits, folder }: CompilerSettings, sendToNode: SendToNode): Answering {
  return {
    folder,
    rest() {},
    async answer({ text }) {
      try {
        return await compile(JSON.parse(text) as CompileRequest, limits)
      } catch (error) {
        if (error instanceof OtherCompiler) return { status: compileStatus.otherCompiler, body: '' }
        if (error instanceof SourceError) return { status: compileStatus.refused, body: JSON.stringify(error.at) }
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
        sendToNode({ kind: 'error', method: 'compile', text })
        return { status: compileStatus.failed, body: '' }
      }
    },
  }
}

answerRequests((settings, sendToNode) => open(settings as CompilerSettings, sendToNode))
