const log = [];
const t = name => { log.push(name); return name; };
function join(...parts) { return parts.join(''); }
console.log(join(t('a'), ...[t('b'), t('c')], t('d')), log.join());
