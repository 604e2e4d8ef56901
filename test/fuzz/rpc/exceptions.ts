import type { Fault } from './judge.ts'

interface Exception {
  readonly method: RegExp
  readonly law: string
  readonly detail: RegExp
  readonly reason: string
}

/** Answers that look like faults and are meant to be as they are. */
const exceptions: readonly Exception[] = [
  {
    method: /^trace_(call|callMany|rawTransaction)$/,
    law: 'no -32603',
    detail: /^Internal error$/,
    reason: 'As in Besu, a call that could not be a transaction is an internal error; docs/rpc.md says so.',
  },
  {
    method: /^debug_standardTraceB(ad|l)\w*ToFile$/,
    law: 'no paths',
    detail: /./,
    reason: 'The answer is the path of the file, as in Besu.',
  },
  {
    method: /^eth_simulateV1$/,
    law: 'no -32603',
    detail: /nonce has max value/,
    reason: 'The public specification gives this number (ethSimulate-overflow-nonce-validation).',
  },
  {
    method: /^query$/,
    law: 'status 200 or 400',
    detail: /^status 500$/,
    reason: 'As in Besu, a variable of type Long that is no number is a failure of the server.',
  },
  {
    method: /./,
    law: 'no -32603',
    detail: /^Timeout expired$/,
    reason: 'As in Besu, a call that takes longer than its time limit is ended so.',
  },
]

/** Why a fault is none; undefined when it is one. */
export function excuseOf(method: string, { law, detail }: Fault): string | undefined {
  return exceptions.find((one) => one.law === law && one.method.test(method) && one.detail.test(detail))?.reason
}
