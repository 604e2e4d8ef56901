import { proposeValidatorVote } from '../../validators/proposeValidatorVote.ts'

export const qbft_proposeValidatorVote = proposeValidatorVote('qbft')
