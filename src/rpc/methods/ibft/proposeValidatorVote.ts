import { proposeValidatorVote } from '../shared/proposeValidatorVote.ts'

export const ibft_proposeValidatorVote = proposeValidatorVote('ibft')
