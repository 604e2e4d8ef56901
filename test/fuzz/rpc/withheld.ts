import type { CallSeed } from './seeds.ts'

/** Calls that work as they should and would end the campaign, or lead out of this machine. */
const withheld: readonly { readonly method: string; readonly reason: string; unless?(text: string): boolean }[] = [
  { method: 'debug_setHead', reason: 'the only validator never signs the heights above again, so the chain would end' },
  { method: 'debug_replayBlock', reason: 'as debug_setHead' },
  { method: 'miner_stop', reason: 'no more blocks' },
  { method: 'admin_changeLogLevel', reason: 'errors would not be logged any more' },
  {
    method: 'admin_addPeer',
    reason: 'the node would call other machines',
    unless: (text) => !text.includes('@') || /@127\.\d+\.\d+\.\d+:/.test(text),
  },
  { method: 'qbft_proposeValidatorVote', reason: 'the only validator would vote in others that do not exist' },
]

/** Whether a call is not to be sent. */
export function isWithheld({ method, params }: CallSeed): boolean {
  const rule = withheld.find((one) => one.method === method)
  return rule !== undefined && !rule.unless?.(JSON.stringify(params))
}
