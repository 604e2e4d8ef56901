/** How an answer came. */
export interface Answer {
  /** Undefined where there is no such thing. */
  readonly status: number | undefined
  readonly text: string
}

/** What is wrong with an answer. */
export interface Fault {
  readonly law: string
  readonly detail: string
}

/** A fault, and what of the request it answers: one call of a batch, or all of it. */
export interface Verdict extends Fault {
  readonly culprit: unknown
}

/** Says what is wrong with the answer to a request, which is given as it was sent. */
export type Judge = (request: string, answer: Answer) => readonly Verdict[]

const stack = /\n\s+at |node:internal|\.[jt]s:\d+|\bENOENT\b/
const statuses = new Set([200, 400])

/** `secrets` are paths of this machine, which must not be in an answer. */
export function createJudge(secrets: readonly string[]): Judge {
  function faultOfReply(reply: unknown, text: string): Fault | undefined {
    const internal = internalErrorOf(reply)
    if (internal !== undefined) return { law: 'no -32603', detail: internal }
    if (secrets.some((one) => text.includes(one))) return { law: 'no paths', detail: 'a path of this machine' }
    const trace = stack.exec(text.includes('\\n') ? text.replaceAll('\\n', '\n') : text)
    return trace ? { law: 'no stacks', detail: trace[0].trim() } : undefined
  }

  return (request, { status, text }) => {
    const asked = parse(request) ?? request
    const whole = (law: string, detail: string): Verdict[] => [{ law, detail, culprit: asked }]
    if (text === '') return isNotification(asked) ? [] : whole('an answer', 'empty')
    const answer = parse(text)
    if (answer === undefined) return whole('answers are JSON', 'something else')
    if (Array.isArray(asked) && asked.length > 0) {
      const replies: readonly unknown[] = Array.isArray(answer) ? answer : []
      const calls = asked.filter((one) => !isNotification(one))
      if (calls.length !== replies.length)
        return whole('an answer to each call of a batch', `${replies.length} of ${calls.length}`)
      return replies.flatMap((reply, i) => {
        const fault = faultOfReply(reply, JSON.stringify(reply))
        return fault ? [{ ...fault, culprit: calls[i] }] : []
      })
    }
    const fault = faultOfReply(answer, text)
    if (fault) return [{ ...fault, culprit: asked }]
    return status === undefined || statuses.has(status) ? [] : whole('status 200 or 400', `status ${status}`)
  }
}

interface Reply {
  readonly error?: { readonly code?: unknown; readonly message?: unknown }
  readonly errors?: readonly {
    readonly extensions?: { readonly errorCode?: unknown; readonly errorMessage?: unknown }
  }[]
}

/** The message of an internal error, of JSON-RPC or GraphQL; undefined when there is none. */
function internalErrorOf(reply: unknown): string | undefined {
  if (typeof reply !== 'object' || reply === null) return undefined
  const { error, errors } = reply as Reply
  if (error?.code === -32603) return String(error.message)
  if (!Array.isArray(errors)) return undefined
  const internal = errors.find((one) => one?.extensions?.errorCode === -32603)
  return internal && String(internal.extensions.errorMessage)
}

/** A call without an id asks for no answer. */
function isNotification(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'method' in json && !('id' in json)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
