export const mayConnect = ({ ip }) => (ip === '10.0.0.9' ? 'not from there' : ip !== '10.0.0.8')
