"""Small parts of a page that know no run of a model: tables, pictures, player, sentence box."""
