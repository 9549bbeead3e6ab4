class Model {
  static create(data) {
    const model = new this();
    return Object.assign(model, data);
  }
}
class User extends Model {
  static create(data) {
    const user = super.create(data);
    user.label = user.name + '#' + user.id;
    return user;
  }
}
console.log(User.create({ id: 4, name: 'kai' }).label);
