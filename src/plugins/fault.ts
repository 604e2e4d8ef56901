import { Fault } from '../primitives/fault.ts'

/** Why a plugin is not used. */
export interface PluginFault {
  readonly code: 'PLUGIN_UNUSABLE'
  readonly file: string
  readonly reason: string
}

/** The message is one line for the operator. */
export class PluginError extends Fault<PluginFault> {
  constructor(at: PluginFault, cause?: unknown) {
    super(at, cause, `--plugin=${at.file}: ${at.reason}`)
  }
}
