import { eventually } from '../support/devNode.ts'
import { type StandardInput, solcVersion } from './solidity.ts'

/** An answer of a server. */
export interface Reply {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many forms.
  readonly json: Record<string, any>
}

const json = { 'content-type': 'application/json' }

/** A client of the APIs at an explorer. */
export interface SourceClient {
  get(path: string): Promise<Reply>
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>
  /** Etherscan's form. */
  form(fields: Readonly<Record<string, string>>): Promise<Reply>
  /** Verifies as Sourcify's clients do; the job when it is done, or the refusal. */
  verify(address: string, input: StandardInput, more?: object): Promise<Reply>
  /** Waits for a job. */
  done(reply: Reply): Promise<Reply>
}

export function createSourceClient(url: string, own: Readonly<Record<string, string>> = {}): SourceClient {
  async function ask(path: string, init: RequestInit = {}): Promise<Reply> {
    const response = await fetch(url + path, { ...init, headers: { ...own, ...(init.headers as object) } })
    const text = await response.text()
    return { status: response.status, json: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : { text } }
  }
  const post: SourceClient['post'] = (path, body, headers = json) =>
    ask(path, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) })
  const done: SourceClient['done'] = async (reply) => {
    const { verificationId } = reply.json as { verificationId?: string }
    if (verificationId === undefined) return reply
    return eventually(async () => {
      const job = await ask(`v2/verify/${verificationId}`)
      return job.json['isJobCompleted'] ? job : null
    })
  }
  return {
    get: ask,
    post,
    form: (fields) => ask('api', { method: 'POST', body: new URLSearchParams(fields) }),
    done,
    verify: async (address, input, more = {}) =>
      done(
        await post(`v2/verify/1337/${address}`, {
          ...{ stdJsonInput: input, compilerVersion: solcVersion(), contractIdentifier: 'C.sol:C' },
          ...more,
        }),
      ),
  }
}
